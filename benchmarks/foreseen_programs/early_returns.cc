// 4000 60
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <vector>
struct Box { int lo, hi; std::vector<int> inside; };
static const Box *find(const std::vector<Box> &all, int x) {
    for (auto &b : all) if (b.lo <= x && x < b.hi) return &b;
    return nullptr;
}
static bool has(const Box &b, int x) {
    for (int v : b.inside) if (v == x) return true;
    return false;
}
static int first_gap(const std::vector<int> &sorted) {
    for (std::size_t k = 1; k < sorted.size(); k++) if (sorted[k] > sorted[k - 1] + 1) return int(k);
    return -1;
}
int main(int, char **argv) {
    int n = atoi(argv[1]), rounds = atoi(argv[2]);
    std::vector<Box> all;
    for (int k = 0; k < 24; k++) {
        Box b{k * 10, k * 10 + 10, {}};
        for (int i = 0; i < k % 6; i++) b.inside.push_back(k * 10 + i * 2);
        all.push_back(b);
    }
    std::vector<int> sorted;
    for (int i = 0; i < 12; i++) sorted.push_back(i + (i > 8));
    long s = 0;
    for (int r = 0; r < rounds; r++)
        for (int i = 0; i < n; i++) {
            const Box *b = find(all, i * 7 % 250);
            if (b && has(*b, i * 7 % 250)) s++;
            sorted[i % 12] = i % 12 + (i % 12 > 8);
            s += first_gap(sorted);
            s += std::count_if(b ? b->inside.begin() : sorted.begin(), b ? b->inside.end() : sorted.end(), [&](int v) { return v & 1; });
        }
    printf("%ld\n", s);
}
