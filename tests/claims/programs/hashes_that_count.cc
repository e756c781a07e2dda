/* args: 3 | 5 | 0 | 12 : hash functions and orders that count */
#include <cstdio>
#include <cstdlib>
#include <map>
#include <set>
#include <unordered_map>
#include <unordered_set>
#include <list>
#include <vector>
#include <string>
static int hashes, equals, orders, copies, hashed;
struct H { std::size_t operator()(int k) const { hashes++; return k % 3; } };
struct K { int k; bool operator==(const K &o) const { equals++; return k == o.k; } bool operator<(const K &o) const { orders++; return k < o.k; } };
namespace std { template <> struct hash<K> { size_t operator()(const K &k) const { hashed++; return k.k; } }; }
struct V { int v; V(int k = 0) : v(k) {} V(const V &o) : v(o.v) { copies++; } V &operator=(const V &o) { v = o.v; copies++; return *this; } };
int main(int argc, char **argv) {
    int n = atoi(argv[1]), t = 0;
    std::unordered_set<int, H> u;
    for (int i = 0; i < n; i++) {
        u.insert(i);
    }
    for (int i = 0; i < hashes; i++) {
        t++;
    }
    std::unordered_map<K, int> m;
    for (int i = 0; i < n; i++) {
        m[K{i}] = i;
    }
    for (int i = 0; i < hashed; i++) {
        t++;
    }
    for (int i = 0; i < equals; i++) {
        t++;
    }
    std::set<K> s;
    for (int i = 0; i < n; i++) {
        s.insert(K{i});
    }
    for (int i = 0; i < orders; i++) {
        t++;
    }
    std::map<K, V> mv;
    for (int i = 0; i < n; i++) {
        mv[K{i}] = V(i);
    }
    for (int i = 0; i < copies; i++) {
        t++;
    }
    std::list<V> l;
    for (int i = 0; i < n; i++) {
        l.push_back(V(i));
    }
    for (int i = 0; i < copies; i++) {
        t++;
    }
    printf("%d\n", t);
    return 0;
}
