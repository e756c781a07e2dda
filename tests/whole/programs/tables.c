/* 6 9: n=6 m=9 | 4 2: n=4 m=2 */
#include <stdio.h>
#include <stdlib.h>

struct job {
    const char *name;
    double (*run)(const double *, int);
    int times;
};

static const int widths[] = {16, 32, 64, 10};
static int depths[3] = {4, 5, 6};

static double all(const double *a, int n) {
    double s = 0;
    for (int i = 0; i < n; i++) { /* 3*n + Piecewise((1, m > 5), (0, True))*n */
        s += a[i];
    }
    return s;
}

static double half(const double *a, int n) {
    double s = 0;
    for (int i = 0; i < n; i += 2) { /* ceiling(n/2) + Piecewise((0, m > 5), (1, True))*ceiling(n/2) */
        s += a[i];
    }
    return s;
}

static double work(const struct job *jobs, int count, const double *a, int n) {
    double s = 0;
    for (int k = 0; k < count; k++) { /* 2 */
        for (int r = 0; r < jobs[k].times; r++) { /* 4 */
            s += jobs[k].run(a, n);
        }
    }
    return s;
}

int main(int argc, char **argv) {
    static const struct job jobs[] = {{"all", all, 3}, {"half", half, 1}};
    if (argc != 3) {
        fprintf(stderr, "usage: %s n m\n", argv[0]);
        return 1;
    }
    int n = atoi(argv[1]), m = atoi(argv[2]);
    if (n < 1 || m < 1) {
        fprintf(stderr, "n and m must be positive\n");
        return 1;
    }
    double *a = calloc(n, sizeof *a);
    if (!a) {
        return 1;
    }
    double s = work(jobs, 2, a, n);
    s += (m > 5 ? all : half)(a, n);
    for (int k = 0; k < 4; k++) { /* 4 */
        for (int i = 0; i < widths[k]; i++) { /* 122 */
            s += i;
        }
    }
    for (int k = 0; k < 3; k++) { /* 3 */
        for (int i = 0; i < depths[k] * n; i++) { /* 15*n */
            s -= i;
        }
    }
    int sizes[] = {7, 9, 2};
    for (int k = 0; k < 3; k++) { /* 3 */
        for (int i = 0; i < sizes[k]; i++) { /* 18 */
            s += k;
        }
    }
    int ranges[2][2] = {{1, n}, {2, m + 2}};
    for (int d = 0; d < 2; d++) { /* 2 */
        for (int i = ranges[d][0]; i < ranges[d][1]; i++) { /* n - 1 + m */
            s -= d;
        }
    }
    printf("%g\n", s);
    free(a);
    return 0;
}
