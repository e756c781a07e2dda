/* args: 5 | 9 | 12 | 0 : results that are reported as errors, after which callers go on */
#include <stdio.h>
#include <stdlib.h>
enum { OK, FAILED };
static int s;
static int until(int n) {
    for (int i = 0; i < n; i++) {
        if (i == 7) {
            fprintf(stderr, "error: too large\n");
            return FAILED;
        }
    }
    return OK;
}
static int iterate(int n, int *steps) {
    for (*steps = 0; *steps < n; ++*steps) {
        if (*steps == 6) {
            fprintf(stderr, "did not converge\n");
            return -1;
        }
        s++;
    }
    return 0;
}
static int handed(int n) {
    for (int i = 0; i < n; i++) {
        if (i == 8) {
            perror("handed up");
            return 3;
        }
    }
    return 0;
}
static int hands(int n) {
    return handed(n);
}
static int each(int n) {
    for (int i = 0; i < n; i++) {
        if (i % 4 == 3) {
            fprintf(stderr, "skipped %d\n", i);
            return -1;
        }
    }
    return 0;
}
static int reads(int n) {
    for (int i = 0; i < n; i++) {
        if (i == 50) {
            fprintf(stderr, "too short\n");
            return -1;
        }
    }
    return 0;
}
int main(int argc, char **argv) {
    int n = argc > 1 ? atoi(argv[1]) : 3, steps;
    if (until(n)) {
        n = 8;
    }
    for (int i = 0; i < n; i++) {
        s++;
    }
    if (iterate(n, &steps) != 0) {
        fprintf(stderr, "going on\n");
    }
    for (int i = 0; i < steps; i++) {
        s++;
    }
    int code = hands(n + 2);
    for (int i = 0; i < 3 * code; i++) {
        s++;
    }
    if (code) {
        s = 0;
    }
    for (int i = 0; i < n; i++) {
        if (each(i)) {
            continue;
        }
        s++;
    }
    if (reads(n)) {
        return 1;
    }
    for (int i = 0; i < n; i++) {
        s++;
    }
    printf("%d\n", s);
    return 0;
}
