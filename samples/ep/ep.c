/* Random pairs like the NAS benchmark EP: 2**m pairs in blocks of 2**b, shared by p processes, of
 * which this is one. Shows: work N = ceiling(2**(m-b)/p)*(u + 2**b), u unknown (it depends on the
 * block's number); work, depth and efficiency in p. */
#include <stdio.h>
#include <stdlib.h>

static double block(int kk, int pairs) {
    unsigned long seed = 271828183ul;
    for (int i = 0; i < 100; i++) {
        int ik = kk / 2;
        if (ik == 0) {
            break;
        }
        seed = seed * 1220703125ul + (unsigned long)(kk - 2 * ik);
        kk = ik;
    }
    double hits = 0;
    for (int i = 0; i < pairs; i++) {
        seed = seed * 6364136223846793005ul + 1442695040888963407ul;
        double x = (double)(seed >> 40) / 8388608.0 - 1.0;
        seed = seed * 6364136223846793005ul + 1442695040888963407ul;
        double y = (double)(seed >> 40) / 8388608.0 - 1.0;
        if (x * x + y * y <= 1.0) {
            hits += 1;
        }
    }
    return hits;
}

static double run(int m, int b, int p) {
    int blocks = 1 << (m - b), mine = (blocks + p - 1) / p;
    double hits = 0;
    for (int k = 1; k <= mine; k++) {
        hits += block(k, 1 << b);
    }
    return hits;
}

int main(int argc, char **argv) {
    int m = argc > 1 ? atoi(argv[1]) : 18;
    int p = argc > 2 ? atoi(argv[2]) : 1;
    int b = argc > 3 ? atoi(argv[3]) : 10;
    if (b < 0 || m < b || m - b > 30 || p < 1) {
        fprintf(stderr, "ep: need 0 <= b <= m <= b + 30 and p >= 1\n");
        return 1;
    }
    printf("%g\n", run(m, b, p));
    return 0;
}
