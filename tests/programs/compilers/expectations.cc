/* args: 5 3 | 0 0 | 9 4 : hints: likely, expect, assume_aligned, unreachable, attributes */
#include <cstdio>
#include <cstdlib>
static long __attribute__((noinline)) far(int n) {
    long s = 0;
    for (int i = 0; __builtin_expect(i < n, 1); i++) {
        s += i;
    }
    return s;
}
static int kind(int m) {
    switch (m & 3) {
    case 0: return 1;
    case 1: return 2;
    case 2: return 3;
    case 3: return 4;
    default: __builtin_unreachable();
    }
}
int main(int argc, char **argv) {
    if (__builtin_expect(argc != 3, 0)) return 2;
    int n = std::atoi(argv[1]), m = std::atoi(argv[2]);
    double *raw = static_cast<double *>(aligned_alloc(64, 4096));
    if (!raw) return 1;
    double *a = static_cast<double *>(__builtin_assume_aligned(raw, 64));
    for (int i = 0; i < 512; i++) {
        a[i] = i;
    }
    double s = far(n);
    if (__builtin_expect_with_probability(m > 2, 1, 0.9)) {
        for (int i = 0; i < m; i++) {
            s += a[i];
        }
    }
#pragma clang loop unroll(disable)
    for (int i = 0; i < kind(m); i++) {
        s += 1;
    }
    std::printf("%g\n", s);
    std::free(raw);
}
