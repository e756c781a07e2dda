#include <cstdio>
#include <cstdlib>
#include <vector>
struct Matrix { int n; std::vector<int> row, col; std::vector<double> val; };
static void multiply(const Matrix &m, const std::vector<double> &x, std::vector<double> &y) {
    for (int i = 0; i < m.n; i++) {
        double s = 0;
        for (int k = m.row[i]; k < m.row[i + 1]; k++) s += m.val[k] * x[m.col[k]];
        y[i] = s;
    }
}
struct Graph { std::vector<std::size_t> offset; std::vector<unsigned> target;
  std::size_t vertices() const { return offset.size() - 1; } };
static long relax(const Graph &g, std::vector<long> &d) {
    long changed = 0;
    for (std::size_t v = 0; v < g.vertices(); ++v)
        for (auto e = g.offset[v]; e != g.offset[v + 1]; ++e) {
            unsigned w = g.target[e];
            if (d[v] + 1 < d[w]) { d[w] = d[v] + 1; changed++; }
        }
    return changed;
}
int main(int argc, char **argv) {
    int n = atoi(argv[1]), rounds = atoi(argv[2]);
    Matrix m; m.n = n;
    Graph g;
    unsigned st = 5;
    m.row.push_back(0); g.offset.push_back(0);
    for (int i = 0; i < n; i++) {
        st = st * 1664525u + 1013904223u;
        int c = 3 + (st >> 24) % 4;
        for (int k = 0; k < c; k++) {
            st = st * 1664525u + 1013904223u;
            int j = (st >> 4) % n;
            m.col.push_back(j); m.val.push_back(1.0 / (k + 1)); g.target.push_back(j);
        }
        m.row.push_back(m.col.size()); g.offset.push_back(g.target.size());
    }
    std::vector<double> x(n, 1.0), y(n);
    std::vector<long> d(n, 1L << 40);
    d[0] = 0;
    long ch = 0;
    for (int r = 0; r < rounds; r++) { multiply(m, x, y); std::swap(x, y); for (auto &v : x) v *= 0.1; ch += relax(g, d); }
    printf("%g %ld\n", x[n / 2], ch);
}
