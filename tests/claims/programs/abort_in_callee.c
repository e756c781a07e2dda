/* args: 4 | 8 | 15 : abort and assert in a called function that a loop calls */
#include <assert.h>
#include <stdlib.h>
#include <stdio.h>
static int half(int i) {
    assert(i < 10);
    return i / 2;
}
static int deeper(int i) {
    return half(i) + 1;
}
int main(int argc, char **argv) {
    int n = argc > 1 ? atoi(argv[1]) : 3;
    long sum = 0;
    for (int i = 0; i < n; i++) {
        sum += deeper(i);
    }
    for (int i = 0; i < n; i++) {
        sum++;
    }
    printf("%ld\n", sum);
    return 0;
}
