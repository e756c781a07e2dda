/* Duplicates counted by one pass for each element. */
#include <algorithm>
#include <cstdio>
#include <unordered_map>
#include <vector>

int slow(const std::vector<int> &v) {
    int n = 0;
    for (int x : v)
        n += std::count(v.begin(), v.end(), x) > 1; /* finding: count v */
    return n;
}

int fast(const std::vector<int> &v) {
    int n = 0;
    std::unordered_map<int, int> number;
    for (int x : v)
        ++number[x];
    for (int x : v)
        n += number[x] > 1;
    return n;
}

int main() {
    std::printf("%d %d\n", slow({1, 2, 1}), fast({1, 2, 1}));
    return 0;
}
