/* args: 3 5 | 8 2 | 12 1 | 1 9 | 6 6 : OpenMP in C++: members, vectors, reductions of their own, loops over iterators
   flags: -fopenmp -std=c++17 */
#include <cstdio>
#include <cstdlib>
#include <vector>
struct Sum {
    int n = 0;
};
#pragma omp declare reduction(add : Sum : omp_out.n += omp_in.n)
class Solver {
    int n_;
    std::vector<int> v_;

public:
    explicit Solver(int n) : n_(n), v_(n) {}
    void step() {
#pragma omp parallel for
        for (int i = 0; i < n_; i++) {
            v_[i] = i;
        }
#pragma omp parallel
        {
#pragma omp single
            n_++;
        }
    }
    int work() {
        int s = 0;
        for (int i = 0; i < n_; i++) {
            s++;
        }
        return s;
    }
};
int main(int argc, char **argv) {
    int n = std::atoi(argv[1]), m = std::atoi(argv[2]);
    int s = 0;
    Solver a(n);
    s += a.work();
    Sum sum;
#pragma omp parallel for reduction(add : sum)
    for (int i = 0; i < n; i++) {
        sum.n += 2;
    }
    for (int i = 0; i < sum.n; i++) {
        s++;
    }
    std::vector<int> v(n, m);
#pragma omp parallel for reduction(+ : s)
    for (auto it = v.begin(); it < v.end(); ++it) {
        s += *it;
        *it = 3;
    }
    for (int i = 0; i < v[0]; i++) {
        s++;
    }
    std::vector<std::vector<int>> parts(3);
#pragma omp parallel for
    for (int t = 0; t < 3; t++) {
        for (int i = 0; i < n; i++) {
            parts[t].push_back(i);
        }
    }
    for (auto &p : parts) {
        for (int x : p) {
            s += x;
        }
    }
    std::vector<int> all;
#pragma omp parallel for
    for (int i = 0; i < m; i++) {
#pragma omp critical
        {
            all.push_back(i);
        }
    }
    for (int x : all) {
        s += x;
    }
    int red[4] = {0, 0, 0, 0};
#pragma omp parallel for reduction(+ : red[ : 4])
    for (int i = 0; i < n; i++) {
        red[i % 4]++;
    }
    for (int i = 0; i < red[0]; i++) {
        s++;
    }
    bool any = false;
#pragma omp parallel for reduction(|| : any)
    for (int i = 0; i < n; i++) {
        any = any || i == 2;
    }
    for (int i = 0; i < (any ? n : 1); i++) {
        s++;
    }
    std::printf("%d\n", s);
}
