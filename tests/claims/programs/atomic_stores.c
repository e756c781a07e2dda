/* args: 5 | 20 | 1 | 0 : plain variables that are written by atomic stores */
#include <stdio.h>
#include <stdlib.h>

static int n, a[4];

int main(int argc, char **argv) {
    n = atoi(argv[1]);
    long s = 0;
    __atomic_store_n(&n, 3, __ATOMIC_SEQ_CST);
    for (int i = 0; i < n; i++) {
        s++;
    }
    int k = atoi(argv[1]);
    int *p = &k;
    a[1] = k;
    __atomic_store_n(p, 7, __ATOMIC_RELEASE);
    __atomic_store_n(&a[1], 2, __ATOMIC_RELAXED);
    for (int i = 0; i < k; i++) {
        s++;
    }
    for (int i = 0; i < a[1]; i++) {
        s++;
    }
    int got = 0;
    __atomic_load(&n, &got, __ATOMIC_ACQUIRE);
    for (int i = 0; i < got; i++) {
        s++;
    }
    printf("%ld\n", s);
    return 0;
}
