/* args: 5 | 0 | 1 | -3 | 40 | 100000 : unsigned and signed, 32 and 64 bits, in members and templates */
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <vector>
template <class T> long down_to(T top, T least) {
    long steps = 0;
    for (T i = top; i >= least; i--) {
        if (++steps > 3000) break;
    }
    return steps;
}
template <class T> long below(T n) {
    long steps = 0;
    for (T i = n; i-- > 0;) {
        if (++steps > 300000) break;
    }
    return steps;
}
static long last(size_t n) {
    long steps = 0;
    for (size_t i = 0; i <= n - 1; i++) {
        if (++steps > 200000) break;
    }
    return steps;
}
int main(int argc, char **argv) {
    int n = argc > 1 ? atoi(argv[1]) : 3;
    long s = down_to<unsigned>(n, 0) + down_to<unsigned>(n, 1) + down_to<size_t>(n, 0);
    s += down_to<int>(n, 0) + below<unsigned>(n) + below<uint64_t>((uint64_t)n) + below<int>(n);
    s += last(n);
    unsigned u = n;
    int64_t wide = u;
    for (int64_t i = 0; i < wide; i += 1000) {
        if (++s > 5000000) break;
    }
    do {
        s++;
        u--;
    } while (u > 2 && s < 6000000);
    for (int i = -1; i < sizeof(int); i++) {
        s++;
    }
    for (int i = n; i > -2 + 0u; i--) {
        if (++s > 7000000) break;
    }
    printf("%ld\n", s);
    return 0;
}
