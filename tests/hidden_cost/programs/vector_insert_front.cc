/* A vector that is filled from the front. */
#include <algorithm>
#include <cstdio>
#include <vector>

std::vector<int> slow(int n) {
    std::vector<int> v;
    for (int i = 0; i < n; ++i)
        v.insert(v.begin(), i); /* finding: insert v */
    return v;
}

std::vector<int> fast(int n) {
    std::vector<int> v;
    for (int i = 0; i < n; ++i)
        v.push_back(i);
    std::reverse(v.begin(), v.end());
    return v;
}

int main() {
    std::printf("%d %d\n", slow(3)[0], fast(3)[0]);
    return 0;
}
