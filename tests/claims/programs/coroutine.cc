/* args: 4 | 8 | 0 : a coroutine's loop runs where it is resumed
 * flags: -std=c++20 */
#include <coroutine>
#include <cstdio>
#include <cstdlib>
struct Generator {
    struct promise_type {
        int value = 0;
        Generator get_return_object() { return {std::coroutine_handle<promise_type>::from_promise(*this)}; }
        std::suspend_always initial_suspend() { return {}; }
        std::suspend_always final_suspend() noexcept { return {}; }
        std::suspend_always yield_value(int v) {
            value = v;
            return {};
        }
        void return_void() {}
        void unhandled_exception() {}
    };
    std::coroutine_handle<promise_type> handle;
};
static Generator count(int n) {
    for (int i = 0; i < n; i++) {
        co_yield i;
    }
}
int main(int argc, char **argv) {
    int n = argc > 1 ? atoi(argv[1]) : 3;
    long sum = 0;
    Generator g = count(10);
    for (int k = 0; k < n; k++) {
        g.handle.resume();
        if (g.handle.done()) break;
        sum += g.handle.promise().value;
    }
    g.handle.destroy();
    printf("%ld\n", sum);
    return 0;
}
