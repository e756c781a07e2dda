/* args: 5 | 0 | 9 : std::atomic, fetch-and-add, compare-and-exchange loops */
#include <atomic>
#include <cstdio>
#include <cstdlib>
int main(int argc, char **argv) {
    if (argc != 2) return 2;
    int n = std::atoi(argv[1]);
    std::atomic<int> count{0};
    std::atomic<bool> done{false};
    for (int i = 0; i < n; i++) {
        count.fetch_add(2, std::memory_order_relaxed);
    }
    for (int i = 0; i < n; i++) {
        int seen = count.load();
        while (!count.compare_exchange_weak(seen, seen + i)) {
        }
    }
    done.store(true);
    for (int i = 0; i < 2 * n; i++) {
        count++;
    }
    std::printf("%d %d\n", count.load(), static_cast<int>(done.load()));
}
