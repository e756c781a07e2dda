/* --cells 6 --steps 3: cells=6 steps=3 | --steps 2: cells=32 steps=2 */
#include <cstdio>
#include <cstdlib>
#include <cstring>

struct Options {
    int cells = 32;
    int steps = 10;
    bool quiet = false;

    bool parse(int argc, char **argv) {
        for (int i = 1; i < argc; ++i) {
            if (!std::strcmp(argv[i], "--cells") && i + 1 < argc) {
                cells = std::atoi(argv[++i]);
            } else if (!std::strcmp(argv[i], "--steps") && i + 1 < argc) {
                steps = std::atoi(argv[++i]);
            } else if (!std::strcmp(argv[i], "--quiet")) {
                quiet = true;
            } else {
                std::fprintf(stderr, "unknown option %s\n", argv[i]);
                return false;
            }
        }
        return true;
    }
};

class Simulation {
public:
    explicit Simulation(const Options &o) : options(o), u(new double[o.cells]) {
        for (int i = 0; i < options.cells; ++i) { /* cells */
            u[i] = i;
        }
    }
    ~Simulation() { delete[] u; }

    void run() {
        for (int s = 0; s < options.steps; ++s) { /* steps */
            advance();
        }
    }

    double total() const {
        double t = 0;
        for (int i = 0; i < options.cells; ++i) { /* cells*f */
            t += u[i];
        }
        return t;
    }

private:
    void advance() {
        for (int i = options.cells - 1; i > 0; --i) { /* steps*(cells - 1) */
            u[i] = 0.5 * (u[i] + u[i - 1]);
        }
    }

    Options options;
    double *u;
};

int main(int argc, char **argv) {
    Options options;
    if (!options.parse(argc, argv)) {
        return EXIT_FAILURE;
    }
    Simulation simulation(options);
    simulation.run();
    if (!options.quiet) {
        std::printf("%g\n", simulation.total());
    }
    return 0;
}
