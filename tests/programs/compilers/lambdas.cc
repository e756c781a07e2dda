/* args: 5 2 | 0 0 | 9 4 : lambdas by value and reference, templates over callables, std::function */
#include <cstdio>
#include <cstdlib>
#include <functional>
template <class F>
static void repeat(int n, F body) {
    for (int i = 0; i < n; i++) {
        body(i);
    }
}
int main(int argc, char **argv) {
    if (argc != 3) return 2;
    int n = std::atoi(argv[1]), m = std::atoi(argv[2]);
    long s = 0;
    repeat(n, [&](int i) {
        for (int j = 0; j < i; j++) {
            s += j;
        }
    });
    repeat(m, [&s, n](int i) { s += i * n; });
    auto down = [](long k) {
        long steps = 0;
        for (long j = k; j > 0; j -= 3) {
            steps++;
        }
        return steps;
    };
    s += down(n) + down(m);
    std::function<void(int)> held = [&](int k) { s += k; };
    for (int i = 0; i < m; i++) {
        held(i);
    }
    std::printf("%ld\n", s);
}
