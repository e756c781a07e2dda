/* args: 4 | 0 | 7 : std::thread, std::mutex and std::ofstream around loops */
#include <cstdlib>
#include <fstream>
#include <mutex>
#include <thread>
static std::mutex guard;
static long total;
static long serial(int n) {
    long s = 0;
    for (int i = 0; i < n; i++) {
        for (int j = i; j < n; j++) {
            s += j;
        }
    }
    return s;
}
int main(int argc, char **argv) {
    if (argc != 2) return 2;
    int n = std::atoi(argv[1]);
    std::thread worker([n] {
        for (int i = 0; i < n; i++) {
            std::lock_guard<std::mutex> lock(guard);
            total += i;
        }
    });
    worker.join();
    std::ofstream out("/dev/null");
    out << serial(n) << ' ' << total << '\n';
    for (int k = n; k > 1; k /= 2) {
        out << k;
    }
}
