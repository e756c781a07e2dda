/* A std::list that is read by index. */
#include <cstdio>
#include <iterator>
#include <list>

long slow(const std::list<int> &l) {
    long s = 0;
    for (std::size_t i = 0; i < l.size(); ++i)
        s += *std::next(l.begin(), i); /* finding: next l */
    return s;
}

long fast(const std::list<int> &l) {
    long s = 0;
    for (int x : l)
        s += x;
    return s;
}

int main() {
    std::printf("%ld %ld\n", slow({1, 2}), fast({1, 2}));
    return 0;
}
