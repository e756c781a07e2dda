// expected: growth
// -- before
#include <vector>
static long first(const std::vector<int> &v, int i) { return v[i]; }
long f(const std::vector<int> &v, int n) {
    long t = 0;
    for (int i = 0; i < n; i++) t += first(v, i);
    return t;
}
// -- after
#include <vector>
static long first(std::vector<int> v, int i) { return v[i]; }
long f(const std::vector<int> &v, int n) {
    long t = 0;
    for (int i = 0; i < n; i++) t += first(v, i);
    return t;
}
