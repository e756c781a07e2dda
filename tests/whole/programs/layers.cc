/* 4 3: n=4 depth=3 | 6 2: n=6 depth=2 */
#include <cstdio>
#include <cstdlib>

struct Layer {
    int in, out;
    double *w;
    Layer(int i, int o) : in(i), out(o), w(new double[i * o]) {
        for (int k = 0; k < in * out; ++k) { /* n**2 */
            w[k] = 0.01 * k;
        }
    }
    ~Layer() { delete[] w; }
    void forward(const double *x, double *y) const {
        for (int o = 0; o < out; ++o) { /* n*depth */
            y[o] = 0;
            for (int i = 0; i < in; ++i) { /* n**2*depth */
                y[o] += w[o * in + i] * x[i];
            }
        }
    }
};

int main(int argc, char **argv) {
    if (argc < 3) {
        std::fprintf(stderr, "usage: %s n depth\n", argv[0]);
        return 1;
    }
    int n = std::atoi(argv[1]), depth = std::atoi(argv[2]);
    Layer layer(n, n);
    double *x = new double[n], *y = new double[n];
    for (int i = 0; i < n; ++i) { /* n */
        x[i] = i;
    }
    for (int d = 0; d < depth; ++d) { /* depth */
        layer.forward(x, y);
        for (int i = 0; i < n; ++i) { /* n*depth */
            x[i] = y[i];
        }
    }
    std::printf("%g\n", x[0]);
    delete[] x;
    delete[] y;
}
