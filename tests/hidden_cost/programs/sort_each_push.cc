/* A vector that is sorted after each new element. */
#include <algorithm>
#include <cstdio>
#include <vector>

std::vector<int> slow(const std::vector<int> &in) {
    std::vector<int> out;
    for (int x : in) {
        out.push_back(x);
        std::sort(out.begin(), out.end()); /* finding: sort out */
    }
    return out;
}

std::vector<int> fast(const std::vector<int> &in) {
    std::vector<int> out;
    for (int x : in)
        out.push_back(x);
    std::sort(out.begin(), out.end());
    return out;
}

int main() {
    std::printf("%d %d\n", slow({2, 1})[0], fast({2, 1})[0]);
    return 0;
}
