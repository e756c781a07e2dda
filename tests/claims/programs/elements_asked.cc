/* args: 3 4 | -2 1 | 2 -1 | 0 0 | -1 -1 : numbers of elements below zero, which containers do not take */
#include <cstdlib>
#include <list>
#include <string>
#include <vector>
static volatile int t;
static void work(int k) {
    std::vector<double> v(k);
    for (int i = 0; i < 3; i++) {
        t++;
    }
    v.push_back(1);
    v.push_back(1);
    for (double x : v) {
        t += x;
    }
}
static int caught(int k) {
    try {
        std::string s(k, 'a');
        s += "xyz";
        return s.size();
    } catch (...) {
        return 7;
    }
}
int main(int argc, char **argv) {
    int n = std::atoi(argv[1]), m = std::atoi(argv[2]);
    int k = caught(m);
    for (int i = 0; i < k; i++) {
        t++;
    }
    std::vector<int> v(n);
    for (int i = 0; i < 5; i++) {
        t++;
    }
    v.resize(m);
    for (size_t i = 0; i < v.size() + 2; i++) {
        t++;
    }
    work(n);
    work(m);
    if (m > 2) {
        std::list<int> l(m);
        for (int x : l) {
            t += x;
        }
    }
}
