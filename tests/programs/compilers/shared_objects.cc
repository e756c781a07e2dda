/* args: 5 | 0 | 9 : unique_ptr, shared_ptr, optional, virtual calls through smart pointers */
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <optional>
struct Task {
    virtual ~Task() {}
    virtual long run(int n) = 0;
};
struct Linear : Task {
    long run(int n) override {
        long s = 0;
        for (int i = 0; i < n; i++) {
            s += i;
        }
        return s;
    }
};
static std::optional<int> bound(int n) {
    if (n < 0) return std::nullopt;
    return n;
}
int main(int argc, char **argv) {
    if (argc != 2) return 2;
    int n = std::atoi(argv[1]);
    std::unique_ptr<Task> task = std::make_unique<Linear>();
    auto shared = std::make_shared<Linear>();
    long s = task->run(n) + shared->run(2 * n);
    for (int i = 0; i < bound(n).value_or(3); i++) {
        s++;
    }
    std::unique_ptr<double[]> a(new double[n + 1]());
    for (int i = 0; i <= n; i++) {
        s += static_cast<long>(a[i]);
    }
    std::printf("%ld\n", s);
}
