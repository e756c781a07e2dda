/* args: 5 3 | 0 0 | 9 4 : class templates, recursion at compile time, operators, iterators of one's own */
#include <cstdio>
#include <cstdlib>
template <class T, int N>
struct Tile {
    T v[N][N] = {};
    T sum() const {
        T s = 0;
        for (int i = 0; i < N; i++) {
            for (int j = 0; j < N; j++) {
                s += v[i][j];
            }
        }
        return s;
    }
};
struct Range {
    int first, last;
    struct Iterator {
        int at;
        int operator*() const { return at; }
        Iterator &operator++() {
            ++at;
            return *this;
        }
        bool operator!=(const Iterator &o) const { return at != o.at; }
    };
    Iterator begin() const { return {first}; }
    Iterator end() const { return {last < first ? first : last}; }
};
template <int K>
static long nested(int n) {
    long s = 0;
    for (int i = 0; i < n; i++) {
        s += nested<K - 1>(i);
    }
    return s;
}
template <>
long nested<0>(int n) {
    return n;
}
int main(int argc, char **argv) {
    if (argc != 3) return 2;
    int n = std::atoi(argv[1]), m = std::atoi(argv[2]);
    Tile<double, 4> small;
    Tile<int, 7> large;
    double s = small.sum() + large.sum() + nested<3>(n);
    for (int i : Range{m, n}) {
        s += i;
    }
    std::printf("%g\n", s);
}
