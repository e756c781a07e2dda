/* args: 4 | 8 | 0 | 20 : exceptions from constructors, lambdas and nested calls; retried loops; rethrown */
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <stdexcept>
#include <string>
static long s;
struct Fragile {
    int i;
    explicit Fragile(int k) : i(k) {
        if (k % 7 == 6) throw k;
    }
    ~Fragile() {
        for (int k = 0; k < 2; k++) {
            s++;
        }
    }
};
template <class F> static int tried(F f, int n) {
    int failed = 0;
    for (int i = 0; i < n; i++) {
        try {
            Fragile a(i);
            f(i);
        } catch (int k) {
            failed++;
            for (int j = 0; j < k; j++) {
                s++;
            }
        } catch (const std::logic_error &) {
            for (int j = 0; j < 4; j++) {
                s++;
            }
            throw;
        }
    }
    return failed;
}
int main(int argc, char **argv) {
    int n = argc > 1 ? atoi(argv[1]) : 3;
    int failed = 0;
    for (int round = 0; round < 3; round++) {
        try {
            failed += tried([&](int i) { if (i == 10 + round) throw std::logic_error("ten"); }, n);
            for (int i = 0; i < n; i++) {
                s++;
            }
            break;
        } catch (const std::exception &) {
            failed += 100;
        }
    }
    for (int i = 0; i < failed; i++) {
        s++;
    }
    try {
        int number = std::stoi(argc > 2 ? argv[2] : "x");
        for (int i = 0; i < number; i++) {
            s++;
        }
    } catch (const std::invalid_argument &) {
        int k = 3;
        while (k > 0) {
            k--;
            s++;
        }
    }
    std::printf("%ld\n", s);
    return 0;
}
