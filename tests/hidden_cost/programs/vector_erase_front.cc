/* A vector as a queue. */
#include <cstdio>
#include <deque>
#include <vector>

long slow(std::vector<int> queue) {
    long s = 0;
    while (!queue.empty()) {
        s = 3 * s + queue.front();
        queue.erase(queue.begin()); /* finding: erase queue */
    }
    return s;
}

long fast(std::deque<int> queue) {
    long s = 0;
    while (!queue.empty()) {
        s = 3 * s + queue.front();
        queue.pop_front();
    }
    return s;
}

int main() {
    std::printf("%ld %ld\n", slow({1, 2}), fast({1, 2}));
    return 0;
}
