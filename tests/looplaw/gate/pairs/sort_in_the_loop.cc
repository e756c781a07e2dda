// expected: growth or undecided
// -- before
#include <algorithm>
#include <vector>
int f(std::vector<int> &v, int n) {
    std::sort(v.begin(), v.end());
    int r = 0;
    for (int i = 0; i < n; i++) r += v[i/2];
    return r;
}
// -- after
#include <algorithm>
#include <vector>
int f(std::vector<int> &v, int n) {
    int r = 0;
    for (int i = 0; i < n; i++) {
        std::sort(v.begin(), v.end());
        r += v[i/2];
    }
    return r;
}
