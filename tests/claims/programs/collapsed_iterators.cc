/* args: 5 3 | 0 0 | 9 4 | 1 1 : collapsed loops over iterators, pointers and arrays
   flags: -fopenmp */
#include <array>
#include <cstdio>
#include <cstdlib>
#include <vector>
int main(int argc, char **argv) {
    int n = std::atoi(argv[1]), m = std::atoi(argv[2]);
    std::vector<int> v(n, 1), w(m, 2);
    std::array<int, 10> a{};
    long s = 0;
#pragma omp parallel for collapse(2) reduction(+ : s)
    for (auto i = v.begin(); i < v.end(); ++i) {
        for (auto j = w.begin(); j < w.end(); ++j) {
            s += *i * *j;
        }
    }
#pragma omp parallel for collapse(2) reduction(+ : s)
    for (auto i = a.begin(); i < a.end(); ++i) {
        for (int j = 0; j < n; j++) {
            s += *i * j;
        }
    }
#pragma omp parallel for collapse(3) reduction(+ : s)
    for (int k = 0; k < m; k++) {
        for (auto i = v.begin(); i != v.end(); ++i) {
            for (int *p = a.data(); p < a.data() + 10; p += 2) {
                s += *i * *p + k;
            }
        }
    }
#pragma omp parallel
#pragma omp single
#pragma omp taskloop collapse(2) reduction(+ : s)
    for (int i = 0; i < n; i++) {
        for (int j = 0; j < m; j++) {
            s += i * j;
        }
    }
    std::printf("%ld\n", s);
}
