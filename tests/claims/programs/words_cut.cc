/* args: 5 3 5 7 | 4294967301 3 4294967298 9 | 2147483650 1 7 -4 | 3000000000 2 8 0 | 6000000000 6000000000 6000000000 6000000000 | 99999999999999999999 99999999999999999999 4 9 | -99999999999999999999 5 3 -6000000000 : words cut to fit the integers that they are read as */
#include <charconv>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <sstream>
static long steps;
struct sizes {
    int n;
    short s;
    unsigned char c;
};
static void halve(int n) {
    for (int i = n; i > 0; i /= 2) {
        steps++;
    }
}
int main(int argc, char **argv) {
    sizes z;
    z.n = std::strtoll(argv[1], nullptr, 10);
    z.s = std::strtol(argv[2], nullptr, 10);
    z.c = std::strtoul(argv[3], nullptr, 10);
    for (int i = z.n; i > 0; i /= 2) {
        steps++;
    }
    for (int i = z.s; i > 0; i /= 2) {
        steps++;
    }
    for (int i = z.c; i > 0; i /= 2) {
        steps++;
    }
    for (int i = 0; i < z.n && i < 1000; i++) {
        steps++;
    }
    halve(std::strtol(argv[1], nullptr, 10));
    unsigned u = std::strtoul(argv[1], nullptr, 10);
    for (unsigned i = u; i > 0; i /= 2) {
        steps++;
    }
    for (long i = std::strtol(argv[2], nullptr, 10); i > 0; i /= 2) {
        steps++;
    }
    std::stringstream in(argv[4]);
    int k;
    in >> k;
    for (int i = k; i > 0; i /= 2) {
        steps++;
    }
    for (int i = k; i < k + 7L; i++) {
        steps++;
        if (i > 2147483600) break;
    }
    std::printf("%ld\n", steps);
}
