/* 6 4: n=6 m=4 | 3 7: n=3 m=7 */
#include <cstdlib>
#include <iostream>
#include <string>
#include <vector>

int main(int argc, char **argv) {
    if (argc < 3) {
        std::cerr << "usage: " << argv[0] << " n m\n";
        return EXIT_FAILURE;
    }
    const int n = std::stoi(argv[1]);
    const long m = std::stol(std::string(argv[2]));
    double *a = new double[n * m];
    for (int i = 0; i < n; ++i) { /* n */
        for (long j = 0; j < m; ++j) { /* n*m */
            a[i * m + j] = i * j;
        }
    }
    double sum = 0;
    for (long k = 0; k < n * m; ++k) { /* n*m */
        sum += a[k];
    }
    std::cout << sum << '\n';
    delete[] a;
    return 0;
}
