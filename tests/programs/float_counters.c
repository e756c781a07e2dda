// vary: n=-3:40; exact: 5 of 7
#include <stdlib.h>

static volatile long s;

int main(int argc, char **argv) {
    if (argc < 2) return 2;
    int n = atoi(argv[1]);
    for (double x = 0; x < n; x += 0.5) {
        s++;
    }
    for (float x = 1.0f; x <= n; x += 1.0f) {
        s++;
    }
    for (double x = n; x > -2.25; x -= 0.75) {
        s++;
    }
    double y = 0.25;
    for (int i = 0; y < 3 * n; i++) {
        s++;
        y += 1.5;
    }
    for (double x = 0; x < 10.0; x += 0.25) {
        s++;
    }
    for (double x = 0; x < n; x += 0.1) { /* 0.1 is rounded */
        s++;
    }
    for (double x = 1; x < n; x *= 1.5) { /* grows beyond what needs no rounding */
        s++;
    }
    return 0;
}
