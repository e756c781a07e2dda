/* args: 5 | 0 | 9 : floating-point bounds, math functions, conversions, complex numbers */
#include <complex.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
int main(int argc, char **argv) {
    if (argc != 2) return 2;
    int n = atoi(argv[1]);
    double s = 0;
    for (int i = 0; i * i <= n; i++) {
        s += sqrt(i);
    }
    for (int i = 0; i < (int)(n * 0.5); i++) {
        s += i;
    }
    for (double x = 0; x < n; x += 1.0) {
        s += x;
    }
    for (int i = 0; i < (int)sqrt((double)n); i++) {
        s += i;
    }
    double complex z = 0;
    for (int i = 0; i < n; i++) {
        z = z * z + 0.1 * I;
    }
    for (int i = 0; i < n && s < 1e6; i++) {
        s *= 2;
    }
    printf("%g %g\n", s, creal(z));
}
