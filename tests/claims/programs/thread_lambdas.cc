/* args: 4 3 | 8 2 | 0 5 : closures that other threads run, and std::call_once */
#include <cstdio>
#include <cstdlib>
#include <mutex>
#include <thread>
static int g;
static long work(int a) {
    long s = 0;
    for (int i = 0; i < a; i++) {
        s++;
    }
    g += a > 0 ? 1 : 2;
    return s;
}
int main(int argc, char **argv) {
    int n = argc > 1 ? atoi(argv[1]) : 3, m = argc > 2 ? atoi(argv[2]) : 2, k = 0;
    long s = 0;
    std::thread t([&k, n] {
        for (int i = 0; i < n; i++) {
            k++;
        }
    });
    t.join();
    for (int i = 0; i < k; i++) {
        s++;
    }
    std::once_flag flag;
    std::call_once(flag, [&] { s += work(m); });
    for (int i = 0; i < g; i++) {
        s++;
    }
    printf("%ld\n", s);
    return 0;
}
