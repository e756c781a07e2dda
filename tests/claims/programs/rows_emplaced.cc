/* args: 3 4 | 5 0 | 1 6 | 9 9 : rows whose sizes are told in terms of rows
 * flags: -std=c++17 */
#include <cstdlib>
#include <vector>
static volatile int t;
int main(int argc, char **argv) {
    int n = std::atoi(argv[1]), m = std::atoi(argv[2]);
    std::vector<std::vector<int>> g(n, std::vector<int>(m));
    g.emplace_back().push_back(1);
    for (auto &r : g) {
        for (int x : r) {
            t += x;
        }
    }
    g[0].swap(g.back());
    for (int x : g[0]) {
        t += x;
    }
    for (int x : g.back()) {
        t += x;
    }
}
