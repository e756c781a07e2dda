// 4000 60
#include <cstdio>
#include <cstdlib>
#include <deque>
#include <list>
#include <numeric>
#include <set>
#include <vector>
template <class C> static long total(const C &c) {
    long s = 0;
    for (auto it = c.begin(); it != c.end(); ++it) s += *it & 15;
    return s;
}
struct Particle { double x, v; std::vector<int> near; };
int main(int, char **argv) {
    int n = atoi(argv[1]), rounds = atoi(argv[2]);
    std::list<int> l; std::deque<int> d; std::vector<int> v; std::set<int> t;
    for (int i = 0; i < n; i++) { l.push_back(i * 7 % 31); d.push_front(i); v.push_back(i * i % 101); t.insert(i * 17 % n); }
    std::vector<Particle> p(n);
    for (int i = 0; i < n; i++) { p[i].x = i; p[i].v = 0; for (int k = 1; k < 2 + i % 5; k++) p[i].near.push_back((i + k) % n); }
    long s = 0;
    double e = 0;
    for (int r = 0; r < rounds; r++) {
        s += total(l) + total(d) + total(v) + total(t) + std::accumulate(v.begin(), v.end(), 0L);
        for (auto &a : p) for (int k : a.near) a.v += 1 / (1 + (a.x - p[k].x) * (a.x - p[k].x));
        for (auto &a : p) e += a.v;
    }
    printf("%ld %g\n", s, e);
}
