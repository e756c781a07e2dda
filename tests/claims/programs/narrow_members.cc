/* args: 5 | 100 | 128 | 200 | 300 | 70000 : narrow members, lambdas, do-while, nested, helper functions */
#include <cstdint>
#include <cstdio>
#include <cstdlib>
struct Walker {
    uint8_t at;
    int16_t end;
    unsigned low : 3;
    long run() {
        long steps = 0;
        for (at = 0; at < end; at++) {
            if (++steps > 90000) break;
        }
        return steps;
    }
    long bits(int n) {
        long steps = 0;
        for (low = 0; low < n; low++) {
            if (++steps > 9000) break;
        }
        return steps;
    }
};
static long helper(signed char n) {
    long steps = 0;
    for (int i = 0; i < n; i++) {
        steps++;
    }
    return steps;
}
static unsigned char narrowed(int n) { return (unsigned char)n; }
static long inner(int n) {
    long steps = 0;
    for (short i = 0; i < 3; i++) {
        for (char j = 0; j < n; j++) {
            if (++steps > 4000) return steps;
        }
    }
    return steps;
}
int main(int argc, char **argv) {
    int n = argc > 1 ? atoi(argv[1]) : 3;
    long s = 0;
    Walker w{0, (int16_t)n, 0};
    s += w.run() + w.bits(n) + helper((signed char)n) + inner(n);
    int cut = narrowed(n);
    for (int i = 0; i < cut; i++) {
        s++;
    }
    uint8_t k = 0;
    do {
        s++;
        k += 3;
    } while (k < n && s < 100000);
    auto walk = [&](auto from) {
        for (decltype(from) i = from; i != 0; i = i - 1) {
            if (++s > 400000) break;
        }
    };
    walk((uint8_t)n);
    walk((int8_t)(n - 1));
    walk((uint16_t)(n + 1));
    uint16_t product = (uint16_t)(n * n);
    for (uint32_t i = 0; i < product; i++) {
        s++;
    }
    printf("%ld\n", s);
    return 0;
}
