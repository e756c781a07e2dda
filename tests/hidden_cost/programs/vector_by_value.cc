/* A vector that is copied for each look at it. */
#include <cstdio>
#include <map>
#include <string>
#include <vector>

typedef std::vector<std::map<std::string, std::map<std::string, long>>> Tables;

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

__attribute__((noinline)) static long size_of(Tables t, int i) {
    return t[i].size();
}

long sizes(const Tables &t, int n) {
    long s = 0;
    for (int i = 0; i < n; ++i)
        s += size_of(t, i); /* finding: vector t */
    return s;
}

int main() {
    std::printf("%ld %ld %ld\n", slow({1, 2}), fast({1, 2}), made_anew(2, 3) + sizes(Tables(2), 2));
    return 0;
}
