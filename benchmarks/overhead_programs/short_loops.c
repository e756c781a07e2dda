#include <stdio.h>
#include <stdlib.h>
/* short inner loops, bounds 3..8 from data, parameters and structures */
struct cell { int n, first; double w[8]; };
static int dims = 3;
static double dot(const double *a, const double *b, int n) {
    double s = 0;
    for (int k = 0; k < n; k++) s += a[k] * b[k];
    return s;
}
int main(int argc, char **argv) {
    int n = atoi(argv[1]), rounds = atoi(argv[2]);
    if (argc > 3) dims = atoi(argv[3]);
    struct cell *c = malloc(n * sizeof *c);
    unsigned st = 7;
    for (int i = 0; i < n; i++) {
        st = st * 1664525u + 1013904223u;
        c[i].n = 3 + (st >> 20) % 6;
        c[i].first = st >> 28;
        for (int k = 0; k < 8; k++) c[i].w[k] = (st >> (k + 3)) & 15;
    }
    double s = 0, m = 0;
    long hit = 0;
    for (int r = 0; r < rounds; r++) {
        for (int i = 0; i < n; i++) {
            for (int k = 0; k < c[i].n; k++) s += c[i].w[k] * k;
            for (int d = 0; d < dims; d++) m += c[i].w[d] > 7 ? c[i].w[d] : 1;
        }
        for (int i = 0; i + 1 < n; i++) s += dot(c[i].w, c[i + 1].w, 3 + (i & 3));
        for (int i = 0; i < n; i++) {
            int k = c[i].n;
            while (k-- > 0) { if (c[i].w[k] == 5) { hit++; break; } }
        }
    }
    printf("%g %g %ld\n", s, m, hit);
    return 0;
}
