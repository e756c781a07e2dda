/* args: 3 5 | 8 2 | 12 1 | 1 9 | 6 6 : OpenMP regions in methods with containers that threads fill, and with exceptions
   flags: -fopenmp -std=c++17 */
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <map>
#include <memory>
#include <numeric>
#include <set>
#include <string>
#include <vector>
struct Part {
    std::vector<double> x;
    int n = 0;
};
class Sim {
    std::vector<Part> parts_;
    std::map<int, int> seen_;
    int steps_;

public:
    Sim(int n, int m) : parts_(n), steps_(m) {
        for (auto &p : parts_) {
            p.x.resize(m);
            p.n = m;
        }
    }
    void advance() {
#pragma omp parallel
        {
            std::vector<int> mine;
#pragma omp for schedule(static)
            for (int i = 0; i < (int)parts_.size(); i++) {
                mine.push_back(i);
                for (double &v : parts_[i].x) {
                    v += 1;
                }
            }
#pragma omp critical
            {
                for (int k : mine) {
                    seen_[k]++;
                }
            }
        }
        steps_--;
    }
    void grow() {
#pragma omp parallel for
        for (size_t i = 0; i < parts_.size(); i++) {
            parts_[i].x.push_back(1);
            parts_[i].n++;
        }
    }
    double total() const {
        double s = 0;
#pragma omp parallel for reduction(+ : s) schedule(dynamic, 4)
        for (int i = 0; i < (int)parts_.size(); i++) {
            s += std::accumulate(parts_[i].x.begin(), parts_[i].x.end(), 0.0);
            for (int k = 0; k < parts_[i].n; k++) {
                s += k;
            }
        }
        return s;
    }
    int left() const {
        int s = 0;
        for (int i = 0; i < steps_; i++) {
            s++;
        }
        return s;
    }
    int seen() const {
        int s = 0;
        for (auto &p : seen_) {
            s += p.second;
        }
        return s;
    }
};
int main(int argc, char **argv) {
    int n = std::atoi(argv[1]), m = std::atoi(argv[2]);
    Sim sim(n, m);
    for (int t = 0; t < 2; t++) {
        sim.advance();
    }
    double s = sim.total();
    sim.grow();
    s += sim.total() + sim.left() + sim.seen();
    std::vector<std::unique_ptr<Part>> own;
    for (int i = 0; i < n; i++) {
        own.push_back(std::make_unique<Part>());
    }
#pragma omp parallel for
    for (int i = 0; i < n; i++) {
        own[i]->n = i + m;
    }
    for (auto &p : own) {
        for (int k = 0; k < p->n; k++) {
            s++;
        }
    }
    std::string text(n, 'x');
#pragma omp parallel for
    for (int i = 0; i < n; i++) {
        text[i] = 'y';
    }
    for (char c : text) {
        s += c;
    }
    std::set<int> keys;
#pragma omp parallel for
    for (int i = 0; i < m; i++) {
#pragma omp critical
        keys.insert(i % 2);
    }
    for (int k : keys) {
        s += k;
    }
    std::vector<int> count(4);
#pragma omp parallel for
    for (int i = 0; i < n * m; i++) {
#pragma omp atomic
        count[i % 4]++;
    }
    for (int c : count) {
        for (int k = 0; k < c; k++) {
            s++;
        }
    }
    std::printf("%g\n", s);
}
