/* args: 5 3 | 0 0 | -1 4 | 9 2 | 20 7 : throws through loops, nested catch, rethrow, noexcept, destructors, catch-only code */
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>
static long total;
struct Guard {
    int n;
    ~Guard() {
        for (int i = 0; i < n; i++) {
            total++;
        }
    }
};
static int risky(int k, int limit) {
    if (k == limit) throw std::runtime_error("limit");
    return k;
}
static void report(int n) {
    for (int i = 0; i < n; i++) {
        total += 2;
    }
}
static long walk(int n, int limit) {
    long s = 0;
    Guard g{n};
    for (int i = 0; i < n; i++) {
        s += risky(i, limit);
    }
    return s;
}
static void again(int n) {
    try {
        walk(n, 2);
    } catch (...) {
        report(n);
        throw;
    }
}
template <class F> static bool attempt(F f) {
    try {
        f();
        return true;
    } catch (const std::exception &) {
        for (int i = 0; i < 7; i++) {
            total++;
        }
        return false;
    }
}
int main(int argc, char **argv) {
    int n = atoi(argv[1]), m = atoi(argv[2]);
    try {
        total += walk(n, m);
        for (int i = 0; i < n; i++) {
            total++;
        }
    } catch (const std::runtime_error &) {
        report(m);
    }
    for (int i = 0; i < n; i++) {
        try {
            if (i % 3 == 1) throw i;
            total++;
        } catch (int k) {
            for (int j = 0; j < k; j++) {
                total++;
            }
            if (k > 4) break;
        }
    }
    attempt([&] { again(m); });
    if (!attempt([&] { std::vector<int> v(3); total += v.at(n); })) {
        for (int i = 0; i < 2; i++) {
            total++;
        }
    }
    attempt([&] { total += std::stoi(m > 3 ? "x" : "4"); });
    auto p = std::make_unique<Guard>(Guard{m});
    if (n > 8) p.release();
    if (n == 20) std::exit(0);
    for (int i = 0; i < 2; i++) {
        total++;
    }
    std::printf("%ld\n", total);
}
