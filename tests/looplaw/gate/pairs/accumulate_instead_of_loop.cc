// expected: nothing
// -- before
#include <vector>
long f(const std::vector<int> &v) {
    long r = 0;
    for (int x : v) r += x;
    return r;
}
// -- after
#include <numeric>
#include <vector>
long f(const std::vector<int> &v) {
    return std::accumulate(v.begin(), v.end(), 0L);
}
