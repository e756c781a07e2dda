// expected: growth
// -- before
#include <vector>
int f(const std::vector<int> &v) {
    int r = 0;
    for (int x : v) r += x;
    return r;
}
// -- after
#include <vector>
int f(const std::vector<int> &v) {
    int r = 0;
    for (int x : v) for (int y : v) r += x*y;
    return r;
}
