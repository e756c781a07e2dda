/* args: 5 9 | 0 0 | 9 3 : throw and catch within loops, cleanups, rethrow, noexcept */
#include <cstdio>
#include <cstdlib>
#include <stdexcept>
struct Guard {
    int &left;
    explicit Guard(int &l) : left(l) { ++left; }
    ~Guard() { --left; }
};
static int checked(int i, int limit) {
    if (i >= limit) throw std::out_of_range("limit");
    return i;
}
static long quiet(int n) noexcept {
    long s = 0;
    for (int i = 0; i < n; i++) {
        s += i;
    }
    return s;
}
int main(int argc, char **argv) {
    if (argc != 3) return 2;
    int n = std::atoi(argv[1]), limit = std::atoi(argv[2]), open = 0;
    long s = quiet(n);
    for (int i = 0; i < n; i++) {
        try {
            Guard guard(open);
            s += checked(i, limit);
        } catch (const std::out_of_range &) {
            s--;
        }
    }
    try {
        for (int i = 0; i < n; i++) {
            s += checked(i, limit);
        }
    } catch (...) {
        s = -s;
    }
    for (int i = 0; i < limit; i++) {
        s += open;
    }
    std::printf("%ld\n", s);
}
