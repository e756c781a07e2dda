/* 4: m=4 | 6: m=6 */
#include <complex.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

static void bit_reverse(double complex *x, int n) {
    int j = 0;
    for (int i = 0; i < n - 1; i++) { /* 2**m - 1 */
        if (i < j) {
            double complex t = x[i];
            x[i] = x[j];
            x[j] = t;
        }
        int k = n >> 1;
        while (k <= j) { /* data */
            j -= k;
            k >>= 1;
        }
        j += k;
    }
}

static void fft(double complex *x, int n) {
    bit_reverse(x, n);
    for (int len = 2; len <= n; len <<= 1) { /* m */
        double complex wl = cexp(-2 * M_PI * I / len);
        for (int i = 0; i < n; i += len) { /* 2**m - 1 */
            double complex w = 1;
            for (int j = 0; j < len / 2; j++) { /* m*2**(m - 1) */
                double complex u = x[i + j], v = x[i + j + len / 2] * w;
                x[i + j] = u + v;
                x[i + j + len / 2] = u - v;
                w *= wl;
            }
        }
    }
}

int main(int argc, char **argv) {
    if (argc != 2) {
        fprintf(stderr, "usage: fft LOG2N\n");
        return 1;
    }
    int m = atoi(argv[1]);
    int n = 1 << m;
    double complex *x = malloc(n * sizeof *x);
    if (!x) return 1;
    for (int i = 0; i < n; i++) { /* 2**m */
        x[i] = sin(2 * M_PI * i / n);
    }
    fft(x, n);
    double p = 0;
    for (int i = 0; i < n / 2; i++) { /* 2**(m - 1) */
        p += cabs(x[i]);
    }
    printf("%g\n", p);
    free(x);
    return 0;
}
