/* The nest of Hoefler's slides on affine loops: the outer variable doubles and is the inner step.
 * Shows: the matrix form (looplaw analyze --matrix); a sum without closed form, still exact. */
#include <stdio.h>
#include <stdlib.h>

static long work;

static void operation(int j, int k) {
    work += j ^ k;
}

static void nest(int n, int p, int m) {
    int j, k;
    for (j = 1; j < n / p + 1; j *= 2) {
        for (k = j; k < m; k += j) {
            operation(j, k);
        }
    }
}

int main(int argc, char **argv) {
    int n = argc > 1 ? atoi(argv[1]) : 1024;
    int p = argc > 2 ? atoi(argv[2]) : 1;
    int m = argc > 3 ? atoi(argv[3]) : 100000;
    nest(n, p, m);
    printf("%ld\n", work);
    return 0;
}
