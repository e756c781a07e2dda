/* args: 4 | 100 | 70000 | 2000000000 : results of checked arithmetic, saturation, in helpers */
#include <climits>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
static int saturated(int a, int b) {
    int r;
    if (__builtin_mul_overflow(a, b, &r)) return 50;
    return r;
}
template <class T> static bool fits(int n) {
    T r;
    return !__builtin_add_overflow(n, 0, &r);
}
int main(int argc, char **argv) {
    int n = argc > 1 ? atoi(argv[1]) : 3;
    long s = 0;
    for (long i = 0; i < saturated(n, n) % 1000; i++) {
        s++;
    }
    for (int i = 0; i < (fits<int8_t>(n) ? 6 : 8); i++) {
        s++;
    }
    unsigned w;
    bool over = __builtin_add_overflow((unsigned)n, 4294967290u, &w);
    for (unsigned i = 0; i < w && i < 100; i++) {
        s++;
    }
    for (int i = 0; i < 2 + over; i++) {
        s++;
    }
    int64_t big;
    int k = __builtin_mul_overflow((int64_t)n, INT64_C(1) << 40, &big);
    for (int i = 0; i <= k; i++) {
        for (int j = 0; j < 3; j++) {
            s++;
        }
    }
    uint8_t step = 0;
    do {
        s++;
    } while (!__builtin_add_overflow(step, (uint8_t)20, &step));
    printf("%ld\n", s);
    return 0;
}
