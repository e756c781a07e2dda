/* 6 3: n=6 repeat=3 | 9 2: n=9 repeat=2 */
#include <stdio.h>
#include <stdlib.h>

static double *a, *b, *c;

static void copy(int n) {
    for (int i = 0; i < n; i++) { /* n*repeat */
        c[i] = a[i];
    }
}

static void add(int n) {
    for (int i = 0; i < n; i++) { /* n*repeat */
        c[i] = a[i] + b[i];
    }
}

static void triangle(int n) {
    for (int i = 0; i < n; i++) { /* n*repeat */
        for (int j = 0; j <= i; j++) { /* repeat*n*(n + 1)/2 */
            c[i] += a[j] * b[i - j];
        }
    }
}

struct kernel {
    const char *name;
    void (*run)(int);
};

static const struct kernel kernels[] = {{"copy", copy}, {"add", add}, {"triangle", triangle}};

int main(int argc, char **argv) {
    if (argc < 3) {
        fprintf(stderr, "usage: %s n repeat\n", argv[0]);
        return 1;
    }
    int n = atoi(argv[1]), repeat = atoi(argv[2]);
    a = malloc(n * sizeof *a);
    b = malloc(n * sizeof *b);
    c = calloc(n, sizeof *c);
    for (int i = 0; i < n; i++) { /* n */
        a[i] = i;
        b[i] = 2 * i;
    }
    for (size_t k = 0; k < sizeof kernels / sizeof kernels[0]; k++) { /* 3 */
        for (int r = 0; r < repeat; r++) { /* 3*repeat */
            kernels[k].run(n);
        }
        printf("%s %g\n", kernels[k].name, c[n - 1]);
    }
    return 0;
}
