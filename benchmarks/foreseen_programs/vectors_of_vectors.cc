// 60 400
#include <cstdio>
#include <cstdlib>
#include <vector>
using Matrix = std::vector<std::vector<double>>;
static Matrix product(const Matrix &a, const Matrix &b) {
    Matrix c(a.size(), std::vector<double>(b[0].size(), 0.0));
    for (std::size_t i = 0; i < a.size(); i++)
        for (std::size_t k = 0; k < b.size(); k++)
            for (std::size_t j = 0; j < b[k].size(); j++) c[i][j] += a[i][k] * b[k][j];
    return c;
}
static long walk(const std::vector<std::vector<int>> &next, int start, int steps) {
    long sum = 0;
    int at = start;
    for (int s = 0; s < steps; s++) {
        int best = 0;
        for (int v : next[at]) best = v > best ? v : best;
        sum += best;
        at = next[at].empty() ? (at + 1) % int(next.size()) : next[at][s % next[at].size()];
    }
    return sum;
}
int main(int, char **argv) {
    int n = atoi(argv[1]), m = atoi(argv[2]);
    Matrix a(n, std::vector<double>(n, 1.5)), b(n, std::vector<double>(n, 0.5));
    std::vector<std::vector<int>> next(m);
    unsigned st = 9;
    for (int i = 0; i < m; i++)
        for (int k = 0; k < i % 7; k++) {
            st = st * 1664525u + 1013904223u;
            next[i].push_back((st >> 8) % m);
        }
    for (int r = 0; r < 12; r++) a = product(a, b);
    long s = 0;
    for (int r = 0; r < 20; r++) s += walk(next, r, 100 * m);
    printf("%g %ld\n", a[n / 2][1], s);
}
