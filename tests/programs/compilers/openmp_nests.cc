/* args: 5 3 | 0 0 | 9 4 : OpenMP in C++: collapse, firstprivate, methods, sections, tasks */
#include <cstdio>
#include <cstdlib>
struct Field {
    int n;
    double *v;
    void relax(int m) {
#pragma omp parallel for collapse(2)
        for (int i = 0; i < n; i++) {
            for (int j = 0; j < m; j++) {
                v[i] += j;
            }
        }
    }
};
int main(int argc, char **argv) {
    if (argc != 3) return 2;
    int n = std::atoi(argv[1]), m = std::atoi(argv[2]), bias = 2;
    Field f{n, static_cast<double *>(std::calloc(n + 1, sizeof(double)))};
    f.relax(m);
    double s = 0;
#pragma omp parallel for firstprivate(bias) reduction(+ : s)
    for (long i = n; i > 0; i--) {
        s += f.v[i] * bias;
    }
#pragma omp parallel sections reduction(+ : s)
    {
#pragma omp section
        for (int i = 0; i < n; i++) {
            s += i;
        }
#pragma omp section
        for (int i = 0; i < m; i++) {
            s -= i;
        }
    }
    std::printf("%g\n", s);
    std::free(f.v);
}
