// 20000 6
#include <cstdio>
#include <cstdlib>
#include <map>
#include <string>
#include <unordered_map>
#include <vector>
int main(int, char **argv) {
    int n = atoi(argv[1]), rounds = atoi(argv[2]);
    std::unordered_map<int, int> seen;
    std::map<int, std::vector<int>> groups;
    unsigned st = 4;
    for (int r = 0; r < rounds; r++)
        for (int i = 0; i < n; i++) {
            st = st * 1664525u + 1013904223u;
            int x = (st >> 12) % (n / 4);
            seen[x]++;
            if (i % 8 == 0) groups[x % 97].push_back(i);
        }
    long s = 0;
    for (auto &[x, c] : seen) s += x ^ c;
    for (int r = 0; r < 20 * rounds; r++)
        for (auto &[x, g] : groups)
            for (int v : g) s += v > x;
    for (int i = 0; i < n; i++) { auto found = groups.lower_bound(i % 120); if (found != groups.end()) s += found->first; }
    printf("%ld\n", s);
}
