/* args: 5 | 100 | 200 | 300 : narrow variables behind templates and typedefs */
#include <cstdint>
#include <cstdio>
#include <cstdlib>
template <class T> long walk(T from, int to) {
    long steps = 0;
    for (T i = from; i < to; ++i) {
        if (++steps > 70000) break;
    }
    return steps;
}
template <class T> long down(T from) {
    long steps = 0;
    for (T i = from; i >= 0; --i) {
        if (++steps > 70000) break;
    }
    return steps;
}
int main(int argc, char **argv) {
    int n = argc > 1 ? atoi(argv[1]) : 3;
    long s = walk<int8_t>(0, n) + walk<uint8_t>(0, n) + walk<int16_t>(0, n * 150) + walk<int>(0, n);
    s += down<int8_t>((int8_t)n) + down<uint8_t>((uint8_t)n) + down<int16_t>((int16_t)n);
    printf("%ld\n", s);
    return 0;
}
