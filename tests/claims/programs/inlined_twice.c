/* args: 4 3 | 1 1 | 7 2 : a function with a region, called by serial code and by a region of one thread
   flags: -fopenmp */
#include <stdio.h>
#include <stdlib.h>
static long work(int n) {
    long s = 0;
    #pragma omp parallel reduction(+ : s)
    for (int i = 0; i < n; i++) {
        s += i;
    }
    return s;
}
static long both(int n, int m) {
    long s = work(m);
    #pragma omp parallel if (0)
    s += work(n);
    return s;
}
int main(int argc, char **argv) {
    if (argc < 3) return 2;
    printf("%ld\n", both(atoi(argv[1]), atoi(argv[2])));
    return 0;
}
