/* args: 5 | 0 | 9 : std::array, std::map, std::list, std::pair and std::accumulate */
#include <array>
#include <cstdio>
#include <cstdlib>
#include <list>
#include <map>
#include <numeric>
#include <utility>
int main(int argc, char **argv) {
    if (argc != 2) return 2;
    int n = std::atoi(argv[1]);
    std::array<int, 16> fixed{};
    std::map<int, int> squares;
    std::list<std::pair<int, int>> pairs;
    for (std::size_t i = 0; i < fixed.size(); i++) {
        fixed[i] = static_cast<int>(i);
    }
    for (int i = 0; i < n; i++) {
        squares[i] = i * i;
    }
    for (int i = 0; i < n; i++) {
        pairs.emplace_back(i, n - i);
    }
    long s = std::accumulate(fixed.begin(), fixed.end(), 0L);
    for (const auto &[key, value] : squares) {
        s += key * value;
    }
    for (int v : fixed) {
        s += v;
    }
    for (int i = 1; i <= n; i++) {
        for (int j = 1; j <= i; j++) {
            s += i % j == 0;
        }
    }
    std::printf("%ld\n", s);
}
