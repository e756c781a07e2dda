/* --size=8 --tile=4: n=8 t=4 | --size=6 --tile=2: n=6 t=2 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
int main(int argc, char **argv) {
    int n = 64, t = 8;
    for (int i = 1; i < argc; i++) { /* data */
        if (strncmp(argv[i], "--size=", 7) == 0) {
            n = atoi(argv[i] + 7);
        } else if (strncmp(argv[i], "--tile=", 7) == 0) {
            t = atoi(argv[i] + 7);
        } else {
            fprintf(stderr, "unknown option %s\n", argv[i]);
            return 1;
        }
    }
    if (n < 1 || t < 1 || n % t) {
        fprintf(stderr, "tile must divide size\n");
        return 1;
    }
    double *a = malloc(n * n * sizeof *a), *b = malloc(n * n * sizeof *b),
           *c = malloc(n * n * sizeof *c);
    if (!a || !b || !c) {
        return 2;
    }
    memset(c, 0, n * n * sizeof *c);
    for (int i = 0; i < n * n; i++) { /* n**2 */
        a[i] = 1;
        b[i] = 2;
    }
    for (int ii = 0; ii < n; ii += t) { /* ceiling(n/t) */
        for (int kk = 0; kk < n; kk += t) { /* ceiling(n/t)**2 */
            for (int i = ii; i < ii + t; i++) { /* t*ceiling(n/t)**2 */
                for (int k = kk; k < kk + t; k++) { /* t**2*ceiling(n/t)**2 */
                    for (int j = 0; j < n; j++) { /* n*t**2*ceiling(n/t)**2 */
                        c[i * n + j] += a[i * n + k] * b[k * n + j];
                    }
                }
            }
        }
    }
    printf("%g\n", c[n]);
    return 0;
}
