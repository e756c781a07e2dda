/* Radix-2 fast Fourier transform of 2**m points, iterative.
 * Shows: a geometric loop around a strided one: m*2**(m-1) butterflies. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

static void reverse(int n, double *re, double *im) {
    int j = 0;
    for (int i = 0; i < n - 1; i++) {
        if (i < j) {
            double t = re[i];
            re[i] = re[j];
            re[j] = t;
            t = im[i];
            im[i] = im[j];
            im[j] = t;
        }
        int bit = n >> 1;
        while (bit >= 1 && (j & bit)) {
            j ^= bit;
            bit >>= 1;
        }
        j |= bit;
    }
}

static void transform(int n, double *re, double *im) {
    for (int half = 1; half < n; half *= 2) {
        for (int start = 0; start < n; start += 2 * half) {
            for (int k = 0; k < half; k++) {
                double angle = -3.14159265358979323846 * k / half, c = cos(angle), s = sin(angle);
                int a = start + k, b = a + half;
                double tr = re[b] * c - im[b] * s, ti = re[b] * s + im[b] * c;
                re[b] = re[a] - tr;
                im[b] = im[a] - ti;
                re[a] += tr;
                im[a] += ti;
            }
        }
    }
}

int main(int argc, char **argv) {
    int m = argc > 1 ? atoi(argv[1]) : 10;
    if (m < 0) {
        m = 0;
    }
    int n = 1 << m;
    double *re = malloc((size_t)n * sizeof *re), *im = calloc((size_t)n, sizeof *im);
    if (!re || !im) return 1;
    for (int i = 0; i < n; i++) {
        re[i] = i % 3;
    }
    reverse(n, re, im);
    transform(n, re, im);
    printf("%g\n", re[0]);
    free(re);
    free(im);
    return 0;
}
