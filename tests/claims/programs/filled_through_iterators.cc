/* args: 3 5 | 8 2 | 12 1 | 0 9 : containers that are filled through a pointer which an iterator, an object or a lambda holds */
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <deque>
#include <iterator>
#include <list>
#include <map>
#include <set>
#include <unordered_set>
#include <vector>
struct Collector {
    std::set<int> &out;
    void operator()(int x) const { out.insert(x); }
};
struct Sink {
    std::list<int> *to;
    std::map<int, int> *by;
    void put(int x) {
        to->push_back(x);
        (*by)[x] = 1;
    }
};
static Sink sink_of(std::list<int> &l, std::map<int, int> &m) { return Sink{&l, &m}; }
int main(int argc, char **argv) {
    int n = std::atoi(argv[1]), m = std::atoi(argv[2]);
    int s = 0;
    std::vector<int> v(n, 1);
    std::set<int> x1{1, 2, 3}, x2{2, 3, 4}, x3;
    std::set_union(x1.begin(), x1.end(), x2.begin(), x2.end(), std::inserter(x3, x3.end()));
    for (int x : x3) {
        s += x;
    }
    while (x3.size() > 1) {
        x3.erase(x3.begin());
    }
    std::list<int> l;
    std::copy(v.begin(), v.end(), std::back_inserter(l));
    for (int x : l) {
        s += x;
    }
    std::copy(v.begin(), v.end(), std::front_inserter(l));
    for (int x : l) {
        s += x;
    }
    std::deque<int> d;
    std::copy(l.begin(), l.end(), std::back_inserter(d));
    for (int x : d) {
        s += x;
    }
    std::set<int> seen;
    std::for_each(x1.begin(), x1.end(), Collector{seen});
    for (int x : seen) {
        s += x;
    }
    std::list<int> to;
    std::map<int, int> by;
    Sink sink = sink_of(to, by);
    for (int i = 0; i < m; i++) {
        sink.put(i);
    }
    for (int x : to) {
        s += x;
    }
    for (auto &p : by) {
        s += p.second;
    }
    std::unordered_set<int> u;
    auto add = [&u](int x) { u.insert(x); };
    for (int i = 0; i < n; i++) {
        add(i % 3);
    }
    for (int x : u) {
        s += x;
    }
    std::multiset<int> *p = nullptr;
    std::multiset<int> q;
    p = &q;
    std::transform(v.begin(), v.end(), std::inserter(*p, p->end()), [](int x) { return x + 1; });
    for (int x : q) {
        s += x;
    }
    std::printf("%d\n", s);
}
