/* 6 4: n=6 m=4 | 3 9: n=3 m=9 */
#include <stdio.h>
#include <stdlib.h>

static int used;
static double *pool;

static int take(double v) {
    pool[used] = v;
    return used++;
}

static void fill(int n, int m) {
    for (int i = 0; i < n; i++) { /* n */
        for (int j = 0; j < m; j++) { /* n*m */
            take(i * j);
        }
    }
}

int main(int argc, char **argv) {
    if (argc != 3) {
        return 1;
    }
    int n = atoi(argv[1]), m = atoi(argv[2]);
    pool = malloc(((size_t)n * m + n) * sizeof *pool);
    if (pool == NULL) {
        return 1;
    }
    fill(n, m);
    for (int i = 0; i < n; i++) { /* n */
        take(1);
    }
    double s = 0;
    for (int i = 0; i < used; i++) { /* n*m + n */
        s += pool[i];
    }
    printf("%g\n", s);
    free(pool);
    return 0;
}
