// expected: nothing
// -- before
#include <vector>
long f(const std::vector<int> &v) {
    long r = 0;
    for (std::size_t i = 0; i < v.size(); i++) r += v[i];
    return r;
}
// -- after
#include <vector>
long f(const std::vector<int> &v) {
    long r = 0;
    for (int x : v) r += x;
    return r;
}
