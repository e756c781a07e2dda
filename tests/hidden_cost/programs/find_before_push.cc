/* Different values collected in a vector that is searched for each. */
#include <algorithm>
#include <cstdio>
#include <unordered_set>
#include <vector>

std::vector<int> slow(const std::vector<int> &in) {
    std::vector<int> out;
    for (int x : in)
        if (std::find(out.begin(), out.end(), x) == out.end()) /* finding: find out */
            out.push_back(x);
    return out;
}

std::vector<int> fast(const std::vector<int> &in) {
    std::vector<int> out;
    std::unordered_set<int> seen;
    for (int x : in)
        if (seen.insert(x).second)
            out.push_back(x);
    return out;
}

int main() {
    std::printf("%zu %zu\n", slow({1, 2, 1}).size(), fast({1, 2, 1}).size());
    return 0;
}
