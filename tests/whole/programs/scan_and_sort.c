/* 5: k=5 | 3: k=3 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void exclusive_scan(unsigned *x, int n) {
    for (int d = 1; d < n; d *= 2) { /* k */
        for (int i = 2 * d - 1; i < n; i += 2 * d) { /* 2**k - 1 */
            x[i] += x[i - d];
        }
    }
    x[n - 1] = 0;
    for (int d = n >> 1; d > 0; d >>= 1) { /* k */
        for (int i = 0; i < n; i += 2 * d) { /* 2**k - 1 */
            unsigned t = x[i + d - 1];
            x[i + d - 1] = x[i + 2 * d - 1];
            x[i + 2 * d - 1] += t;
        }
    }
}

static void radix(unsigned *a, unsigned *tmp, int n) {
    for (int shift = 0; shift < 32; shift += 8) { /* 4 */
        size_t count[257];
        memset(count, 0, sizeof count);
        for (int i = 0; i < n; i++) { /* 4*2**k */
            count[(a[i] >> shift & 255) + 1]++;
        }
        for (int b = 0; b < 256; b++) { /* 1024 */
            count[b + 1] += count[b];
        }
        for (int i = 0; i < n; i++) { /* 4*2**k */
            tmp[count[a[i] >> shift & 255]++] = a[i];
        }
        unsigned *t = a;
        a = tmp;
        tmp = t;
    }
}

static void bitonic(unsigned *a, int n) {
    for (int size = 2; size <= n; size *= 2) { /* k */
        for (int stride = size / 2; stride > 0; stride /= 2) { /* k*(k + 1)/2 */
            for (int i = 0; i < n; i++) { /* 2**k*k*(k + 1)/2 */
                int j = i ^ stride;
                if (j > i && ((a[i] > a[j]) == !(i & size))) {
                    unsigned t = a[i];
                    a[i] = a[j];
                    a[j] = t;
                }
            }
        }
    }
}

int main(int argc, char **argv) {
    if (argc < 2) { fprintf(stderr, "need k\n"); return 1; }
    int k = atoi(argv[1]);
    int n = 1 << k;
    unsigned *x = malloc(n * sizeof *x), *y = malloc(n * sizeof *y);
    for (int i = 0; i < n; i++) { /* 2**k */
        x[i] = (i * 2654435761u) >> 20;
    }
    radix(x, y, n);
    exclusive_scan(x, n);
    bitonic(x, n);
    unsigned long s = 0;
    for (int i = 0; i < n; i++) { /* 2**k */
        s += x[i] ^ i;
    }
    printf("%lu\n", s);
    return 0;
}
