/* 8 3: n=8 seed=3 | 16 5: n=16 seed=5 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <errno.h>
static long number(const char *s, const char *what) {
    char *end;
    errno = 0;
    long v = strtol(s, &end, 10);
    if (errno || *end || v < 0) {
        fprintf(stderr, "bad %s: %s\n", what, s);
        exit(2);
    }
    return v;
}
static unsigned long state;
static unsigned rnd(void) {
    state = state * 6364136223846793005UL + 1442695040888963407UL;
    return state >> 33;
}
int main(int argc, char **argv) {
    if (argc < 3) {
        fprintf(stderr, "usage: %s n seed\n", argv[0]);
        exit(1);
    }
    long n = number(argv[1], "n");
    state = number(argv[2], "seed");
    int *a = malloc(n * sizeof *a);
    if (a == NULL) {
        perror("malloc");
        exit(3);
    }
    for (long i = 0; i < n; i++) { /* n */
        a[i] = rnd() % 1000;
    }
    for (long i = 1; i < n; i++) { /* n-1 */
        int x = a[i];
        long j = i;
        while (j > 0 && a[j - 1] > x) { /* data */
            a[j] = a[j - 1];
            j--;
        }
        a[j] = x;
    }
    for (long gap = n / 2; gap > 0; gap /= 2) { /* floor(log(n,2)) */
        for (long i = gap; i < n; i++) { /* data */
            if (a[i] < a[i - gap]) {
                abort();
            }
        }
    }
    printf("%d\n", a[n / 2]);
    return 0;
}
