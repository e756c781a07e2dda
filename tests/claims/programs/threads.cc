/* args: 4 | 8 | 1 : functions handed to threads */
#include <cstdio>
#include <cstdlib>
#include <future>
#include <thread>
#include <vector>
static long total[64];
static void worker(int id, int n) {
    for (int i = 0; i < n; i++) {
        total[id]++;
    }
}
static long later(int n) {
    long s = 0;
    for (int i = 0; i < 2 * n; i++) {
        s++;
    }
    return s;
}
int main(int argc, char **argv) {
    int n = argc > 1 ? atoi(argv[1]) : 3;
    std::vector<std::thread> all;
    for (int t = 0; t < 3; t++) {
        all.emplace_back(worker, t, n);
    }
    for (auto &t : all) {
        t.join();
    }
    std::future<long> f = std::async(std::launch::async, later, n);
    printf("%ld %ld\n", total[0] + total[1] + total[2], f.get());
    return 0;
}
