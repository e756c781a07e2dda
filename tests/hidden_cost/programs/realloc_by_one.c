/* An array that grows by one element at a time. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int *slow(FILE *f, int *count) {
    int *a = NULL, n = 0, x;
    while (fscanf(f, "%d", &x) == 1) {
        a = realloc(a, (n + 1) * sizeof *a); /* finding: realloc a */
        a[n++] = x;
    }
    *count = n;
    return a;
}

int *fast(FILE *f, int *count) {
    int *a = NULL, n = 0, room = 0, x;
    while (fscanf(f, "%d", &x) == 1) {
        if (n == room) {
            room = room ? 2 * room : 16;
            a = realloc(a, room * sizeof *a);
        }
        a[n++] = x;
    }
    *count = n;
    return a;
}

int main(void) {
    int n, m; free(slow(stdin, &n)); free(fast(stdin, &m)); printf("%d %d\n", n, m);
    return 0;
}
