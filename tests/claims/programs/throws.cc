/* args: 4 | 8 | 0 | 20 : exceptions leave loops; code only reached through catch */
#include <cstdio>
#include <cstdlib>
#include <stdexcept>
static int risky(int i) {
    if (i == 5) throw std::runtime_error("five");
    return i;
}
int main(int argc, char **argv) {
    int n = argc > 1 ? atoi(argv[1]) : 3;
    long sum = 0;
    try {
        for (int i = 0; i < n; i++) {
            sum += risky(i);
        }
        for (int i = 0; i < n; i++) {
            sum++;
        }
    } catch (const std::exception &e) {
        for (int k = 0; k < n; k++) {
            sum += 2;
        }
    }
    for (int i = 0; i < n; i++) {
        try {
            sum += risky(i);
        } catch (...) {
            for (int k = 0; k < 7; k++) {
                sum++;
            }
        }
    }
    printf("%ld\n", sum);
    return 0;
}
