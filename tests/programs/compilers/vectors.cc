/* args: 5 3 | 0 0 | 12 1 : vectors filled, resized and read by index, range and iterator */
#include <cstdio>
#include <cstdlib>
#include <vector>
int main(int argc, char **argv) {
    if (argc != 3) return 2;
    int n = std::atoi(argv[1]), m = std::atoi(argv[2]);
    std::vector<int> filled;
    for (int i = 0; i < n; i++) {
        filled.push_back(i);
    }
    std::vector<double> sized(m > 0 ? m : 0, 1.0);
    std::vector<std::vector<int>> rows(n > 0 ? n : 0);
    double s = 0;
    for (std::size_t i = 0; i < sized.size(); i++) {
        s += sized[i];
    }
    for (int v : filled) {
        s += v;
    }
    for (auto &row : rows) {
        row.resize(3);
    }
    for (int i = 0; i < n; i++) {
        for (int j = 0; j < m; j++) {
            s += filled[i] * sized[j];
        }
    }
    std::printf("%g\n", s);
}
