/* --size 6 --iterations 3: size=6 iterations=3 | --iterations 2: size=16 iterations=2 */
#include <cstdlib>
#include <iostream>
#include <string>

int main(int argc, char *argv[]) {
    int size = 16;
    int iterations = 5;
    for (int i = 1; i < argc; ++i) {
        std::string arg = argv[i];
        if (arg == "--size" && i + 1 < argc) {
            size = std::stoi(argv[++i]);
        } else if (arg == "--iterations" && i + 1 < argc) {
            iterations = std::stoi(argv[++i]);
        } else {
            std::cerr << "unknown option " << arg << std::endl;
            return 1;
        }
    }
    double *grid = new double[size * size]();
    for (int it = 0; it < iterations; ++it) { /* iterations */
        for (int y = 1; y < size - 1; ++y) { /* iterations*(size - 2) */
            for (int x = 1; x < size - 1; ++x) { /* iterations*(size - 2)**2 */
                grid[y * size + x] += 0.5 * grid[y * size + x - 1] + x;
            }
        }
    }
    std::cout << grid[size + 1] << "\n";
    delete[] grid;
    return 0;
}
