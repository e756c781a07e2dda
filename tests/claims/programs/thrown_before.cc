/* args: 3 | 8 | 1 | 6 : exceptions that leave loops and carry numbers */
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <stdexcept>
static int alive = 1, caught;
struct guard { int &x; ~guard() { x += 3; alive++; } };
struct err { int n; };
static void inner(int n, int &x) {
    guard g{x};
    if (n > 4) throw err{n};
    x++;
}
static void middle(int n, int &x) {
    try {
        inner(n, x);
    } catch (err &e) {
        e.n += 2;
        caught++;
        throw;
    }
}
static int f(int n) try {
    if (n > 2) throw n;
    return 1;
} catch (int k) {
    return k + 1;
}
int main(int argc, char **argv) {
    int n = atoi(argv[1]), t = 0, x = 1, y = 2;
    try {
        middle(n, x);
        y = 5;
    } catch (const err &e) {
        y = e.n;
    }
    for (int i = 0; i < x; i++) {
        t++;
    }
    for (int i = 0; i < y; i++) {
        t++;
    }
    for (int i = 0; i < alive; i++) {
        t++;
    }
    for (int i = 0; i < caught + 1; i++) {
        t++;
    }
    for (int i = 0; i < f(n); i++) {
        t++;
    }
    std::exception_ptr p;
    try {
        throw err{n};
    } catch (err &e) {
        p = std::current_exception();
        e.n = 4;
    }
    try {
        std::rethrow_exception(p);
    } catch (err &e) {
        for (int i = 0; i < e.n; i++) {
            t++;
        }
    }
    int k = 0;
    for (int i = 0; i < n; i++) {
        try {
            guard g{k};
            if (i == 2) continue;
            if (i == 5) break;
            if (i % 2) throw 1;
            k++;
        } catch (int) {
            k += 10;
        }
    }
    for (int i = 0; i < k; i++) {
        t++;
    }
    int z = 1;
    try {
        z = 2;
        if (n > 5) throw std::runtime_error("x");
        z = 3;
    } catch (std::exception &) {
        z += 4;
    }
    for (int i = 0; i < z; i++) {
        t++;
    }
    printf("%d\n", t);
    return 0;
}
