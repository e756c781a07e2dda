/* A vector that is copied for each look at it. */
#include <cstdio>
#include <vector>

__attribute__((noinline)) static int at(std::vector<int> v, std::size_t i) {
    return v[i];
}

__attribute__((noinline)) static int at_reference(const std::vector<int> &v, std::size_t i) {
    return v[i];
}

long slow(const std::vector<int> &v) {
    long s = 0;
    for (std::size_t i = 0; i < v.size(); ++i)
        s += at(v, i); /* finding: vector v */
    return s;
}

long fast(const std::vector<int> &v) {
    long s = 0;
    for (std::size_t i = 0; i < v.size(); ++i)
        s += at_reference(v, i);
    return s;
}

long made_anew(int n, int width) {
    long s = 0;
    for (int i = 0; i < n; ++i) {
        std::vector<long> parts(width);
        s += parts[i % width];
    }
    return s;
}

int main() {
    std::printf("%ld %ld %ld\n", slow({1, 2}), fast({1, 2}), made_anew(2, 3));
    return 0;
}
