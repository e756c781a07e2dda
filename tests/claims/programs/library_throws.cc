/* args: 4 3 | 8 2 | 0 5 | 20 7 : exceptions that the library throws, std::terminate */
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <string>
#include <vector>
static long checked(const std::vector<int> &data, int n) {
    long s = 0;
    for (int i = 0; i < n; i++) {
        s += data.at(i);
    }
    return s;
}
int main(int argc, char **argv) {
    int n = argc > 1 ? atoi(argv[1]) : 3, m = argc > 2 ? atoi(argv[2]) : 2;
    long s = 0;
    std::vector<int> data(5);
    try {
        s += std::stoi(n > 6 ? "x" : "7");
        for (int i = 0; i < m; i++) {
            s++;
        }
    } catch (...) {
        for (int i = 0; i < 2; i++) {
            s++;
        }
    }
    try {
        s += checked(data, n);
        for (int i = 0; i < n; i++) {
            s++;
        }
    } catch (...) {
        s--;
    }
    if (n == 20) std::terminate();
    for (int i = 0; i < m; i++) {
        s++;
    }
    printf("%ld\n", s);
    return 0;
}
