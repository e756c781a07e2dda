/* 5 3: n=5 steps=3 | 8 2: n=8 steps=2 */
#include <cstdlib>
#include <iostream>
#include <string>
#include <vector>

struct Particle {
    double x = 0, v = 0, f = 0;
};

static void forces(std::vector<Particle> &p) {
    for (std::size_t i = 0; i < p.size(); ++i) { /* n*steps */
        p[i].f = 0;
        for (std::size_t j = 0; j < p.size(); ++j) { /* n**2*steps */
            if (i != j) {
                p[i].f += p[j].x - p[i].x;
            }
        }
    }
}

int main(int argc, char **argv) {
    if (argc < 3) {
        std::cerr << "usage: " << argv[0] << " n steps" << std::endl;
        return 1;
    }
    int n = std::stoi(argv[1]);
    int steps = std::stoi(argv[2]);
    std::vector<Particle> particles(n);
    for (int i = 0; i < n; ++i) { /* n */
        particles[i].x = i;
    }
    for (int s = 0; s < steps; ++s) { /* steps */
        forces(particles);
        for (auto &p : particles) { /* n*steps */
            p.v += 0.01 * p.f;
            p.x += 0.01 * p.v;
        }
    }
    std::cout << particles[0].x << std::endl;
    return 0;
}
