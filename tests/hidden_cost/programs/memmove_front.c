/* A queue whose first element is taken out by moving all others. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

long slow(int *queue, int n) {
    long s = 0;
    while (n > 0) {
        s = 3 * s + queue[0];
        memmove(queue, queue + 1, (n - 1) * sizeof *queue); /* finding: memmove queue */
        n--;
    }
    return s;
}

long fast(const int *queue, int n) {
    long s = 0;
    int head = 0;
    while (head < n) {
        s = 3 * s + queue[head];
        head++;
    }
    return s;
}

int main(void) {
    int q[4] = {1, 2, 3, 4}; printf("%ld ", fast(q, 4)); printf("%ld\n", slow(q, 4));
    return 0;
}
