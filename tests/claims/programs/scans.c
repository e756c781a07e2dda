/* args: 5 3 | 0 0 | 9 4 : a loop that scan runs in two phases
   flags: -fopenmp */
#include <stdio.h>
#include <stdlib.h>
int main(int argc, char **argv) {
    int n = atoi(argv[1]), m = atoi(argv[2]);
    long s = 0, *a = calloc(n + 1, sizeof *a), t = 0;
#pragma omp parallel for reduction(inscan, + : s)
    for (int i = 0; i < n; i++) {
        s += i;
#pragma omp scan inclusive(s)
        a[i] = s;
    }
#pragma omp simd reduction(inscan, + : t)
    for (int i = 0; i < m; i++) {
        a[i % (n + 1)] = t;
#pragma omp scan exclusive(t)
        t += i;
    }
    printf("%ld %ld\n", s, a[0]);
    return 0;
}
