// 6000 12
#include <cstdio>
#include <cstdlib>
#include <queue>
#include <utility>
#include <vector>
using Graph = std::vector<std::vector<int>>;
static int components(const Graph &g) {
    std::vector<int> seen(g.size(), 0), stack;
    int n = 0;
    for (std::size_t s = 0; s < g.size(); s++) {
        if (seen[s]) continue;
        n++;
        stack.push_back(int(s));
        while (!stack.empty()) {
            int v = stack.back();
            stack.pop_back();
            if (seen[v]) continue;
            seen[v] = 1;
            for (int w : g[v]) if (!seen[w]) stack.push_back(w);
        }
    }
    return n;
}
static long levels(const Graph &g, int from) {
    std::vector<int> d(g.size(), -1);
    std::queue<int> q;
    d[from] = 0;
    q.push(from);
    long s = 0;
    while (!q.empty()) {
        int v = q.front();
        q.pop();
        s += d[v];
        for (int w : g[v]) if (d[w] < 0) { d[w] = d[v] + 1; q.push(w); }
    }
    return s;
}
static int root(std::vector<int> &up, int v) { while (up[v] != v) v = up[v] = up[up[v]]; return v; }
int main(int, char **argv) {
    int n = atoi(argv[1]), rounds = atoi(argv[2]);
    Graph g(n);
    std::vector<std::pair<int, int>> edges;
    unsigned st = 3;
    for (int k = 0; k < 2 * n; k++) {
        st = st * 1664525u + 1013904223u;
        int a = (st >> 5) % n, b = (st >> 15) % n;
        g[a].push_back(b); g[b].push_back(a); edges.push_back({a, b});
    }
    long s = 0;
    for (int r = 0; r < rounds; r++) {
        s += components(g) + levels(g, r);
        std::vector<int> up(n);
        for (int v = 0; v < n; v++) up[v] = v;
        for (auto [a, b] : edges) up[root(up, a)] = root(up, b);
        for (int v = 0; v < n; v++) s += root(up, v) == v;
    }
    printf("%ld\n", s);
}
