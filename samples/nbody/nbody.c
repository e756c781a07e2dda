/* n bodies, forces between pairs closer than a cut-off.
 * Shows: all pairs are visited (exact); how many are close is data: their work is bounded. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

static long close_pairs;

static double forces(int n, const double *x, double *f, double cutoff) {
    double energy = 0;
    for (int i = 0; i < n; i++) {
        for (int j = i + 1; j < n; j++) {
            double d = x[i] - x[j];
            if (fabs(d) < cutoff) {
                double terms = 0;
                for (int t = 1; t <= 4; t++) {
                    terms += d / (t + d * d);
                }
                f[i] += terms;
                f[j] -= terms;
                energy += terms * d;
                close_pairs++;
            }
        }
    }
    return energy;
}

int main(int argc, char **argv) {
    int n = argc > 1 ? atoi(argv[1]) : 500;
    size_t room = n > 0 ? (size_t)n : 1;
    double *x = malloc(room * sizeof *x), *f = calloc(room, sizeof *f);
    if (!x || !f) return 1;
    unsigned state = 12345u;
    for (int i = 0; i < n; i++) {
        state = state * 1664525u + 1013904223u;
        x[i] = (double)(state >> 8) / 16777216.0;
    }
    double energy = forces(n, x, f, 0.1);
    printf("%g %ld\n", energy, close_pairs);
    free(x);
    free(f);
    return 0;
}
