/* args: 3 5 | 8 2 | 12 1 : std::thread, and what it learns after it was started
 * flags: -pthread */
#include <atomic>
#include <condition_variable>
#include <cstdio>
#include <cstdlib>
#include <future>
#include <mutex>
#include <thread>
int main(int argc, char **argv) {
    int n = std::atoi(argv[1]), m = 1;
    std::mutex lock;
    std::condition_variable more;
    std::atomic<bool> go{false};
    bool ready = false;
    double s = 0;
    std::thread a([&] {
        std::unique_lock<std::mutex> held(lock);
        more.wait(held, [&] { return ready; });
        for (int i = 0; i < m; i++) s += i;
    });
    {
        std::lock_guard<std::mutex> held(lock);
        m = n;
        ready = true;
    }
    more.notify_one();
    a.join();
    std::thread b([&] {
        while (!go.load()) std::this_thread::yield();
        for (int i = 0; i < m; i++) s += i;
    });
    m = n + 2;
    go = true;
    b.join();
    std::promise<int> given;
    std::future<int> later = given.get_future();
    std::thread c([&] {
        int k = later.get();
        for (int i = 0; i < k + m; i++) s += i;
    });
    m = n + 3;
    given.set_value(n);
    c.join();
    std::printf("%f\n", s);
}
