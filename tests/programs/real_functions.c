// vary: n=0:300 k=1:12; exact: 22 of 24
// Bounds that are real functions of the parameters, as floor and ceiling of what is rounded.
#include <math.h>
#include <stdlib.h>

static volatile long s;

int main(int argc, char **argv) {
    int n = atoi(argv[1]), k = atoi(argv[2]);
    for (int i = 2; i <= sqrt(n); i++) {
        s++;
    }
    for (int i = 0; i < sqrt(n); i++) {
        s++;
    }
    int root = (int)sqrt(n) + 1;
    for (int i = 0; i < root; i++) {
        s++;
    }
    for (int i = 0; i < (int)ceil(n / 3.0); i++) {
        s++;
    }
    for (int i = 0; i < n * 0.1; i++) {
        s++;
    }
    for (int i = 0; i <= n * 0.3; i++) {
        s++;
    }
    for (int i = 0; i < 2.0 / 3.0 * n; i++) {
        s++;
    }
    int share = n * 0.75;
    for (int i = 0; i < share; i++) {
        s++;
    }
    for (int i = 0; i < ceil((double)n / k); i++) {
        s++;
    }
    for (int i = 0; i < floor((double)n / k); i++) {
        s++;
    }
    for (int i = 1; i <= log2(n + 1); i++) {
        s++;
    }
    int digits = (int)log10(n + 1) + 1;
    for (int i = 0; i < digits; i++) {
        s++;
    }
    for (int i = 0; i < (int)ceil(log2(n + 1)); i++) {
        s++;
    }
    for (int i = 0; i < pow(k, 2); i++) {
        s++;
    }
    int size = (int)pow(2, k);
    for (int i = 0; i < size; i++) {
        s++;
    }
    for (long i = 0; i < lround(n * 0.5); i++) {
        s++;
    }
    for (long i = 0; i < lround(sqrt(n)); i++) {
        s++;
    }
    for (int i = 0; i < (int)round(n / 4.0); i++) {
        s++;
    }
    for (int i = 0; i < fmin(n, k); i++) {
        s++;
    }
    int single = sqrtf((float)n);
    for (int i = 0; i < single; i++) {
        s++;
    }
    for (int i = 1; i <= pow(n, 0.5); i++) {
        s++;
    }
    for (int i = 0; i < 32 - __builtin_clz(k); i++) {
        s++;
    }
    for (int i = 0; i < n * 0.7; i++) { /* 0.7 is too small by more than rounding loses */
        s++;
    }
    int natural = (int)(log(n + 1) / log(2)); /* two roundings beside a whole number */
    for (int i = 0; i < natural; i++) {
        s++;
    }
    return 0;
}
