/* args: 3 5 | 8 2 | 12 1 | 40 7 : std::thread with functions, lambdas and members
 * flags: -pthread */
#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <mutex>
#include <thread>
#include <vector>
static void fill(double *a, int lo, int hi) {
    for (int i = lo; i < hi; i++) a[i] = i;
}
static void grows(int &n) {
    for (int i = 0; i < 3; i++) n++;
}
struct Worker {
    double *a;
    int n;
    void operator()() const {
        for (int i = 0; i < n; i++) a[i] += 1;
    }
    void half(int k) {
        for (int i = 0; i < n / 2; i++) a[i] += k;
    }
};
int main(int argc, char **argv) {
    int n = std::atoi(argv[1]), t = std::atoi(argv[2]);
    std::vector<double> a(n + 1);
    std::thread x(fill, a.data(), 0, n / 2);
    std::thread y([&a, n] {
        for (int i = n / 2; i < n; i++) a[i] = 2 * i;
    });
    x.join();
    y.join();
    std::vector<std::thread> ts;
    for (int k = 0; k < t; k++)
        ts.push_back(std::thread([&a, n, k, t] {
            for (int i = k; i < n; i += t) a[i] += 1;
        }));
    for (auto &z : ts) z.join();
    int m = n;
    std::thread g(grows, std::ref(m));
    g.join();
    for (int i = 0; i < m; i++) a[0] += 1;
    Worker w{a.data(), n};
    std::thread u(w);
    u.join();
    w.n = n - 1;
    std::thread v(&Worker::half, &w, 2);
    v.join();
    std::printf("%f\n", a[0]);
}
