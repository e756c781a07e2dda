// vary: n=-3:70 m=-2:40; exact: 28 of 28
// Sums without closed form, which have bounds; sums of logarithms, roots and quotients, which have one.
#include <stdlib.h>

static volatile long s;

int main(int argc, char **argv) {
    if (argc < 3) return 2;
    int n = atoi(argv[1]), m = atoi(argv[2]);
    for (int i = 1; i < n; i++) {
        for (int j = 0; j < n; j += i) {
            s++;
        }
    }
    for (int i = 1; i <= n; i++) {
        for (int j = 1; j <= m / i; j++) {
            s++;
        }
    }
    for (int i = 0; i < n; i++) {
        for (int j = 0; j * j < i; j++) {
            s++;
        }
        for (int j = 1; j * j * j <= i; j++) {
            s++;
        }
    }
    for (int i = 1; i < n; i++) {
        for (int j = 1; j < i; j *= 2) {
            s++;
        }
        for (int j = i; j > 0; j /= 3) {
            s++;
        }
    }
    for (int i = m; i < n; i++) {
        for (int j = 1; j < i; j *= 2) {
            for (int k = 0; k < i; k++) {
                s++;
            }
        }
    }
    for (int i = 1; i < n; i++) {
        for (int j = i; j < n; j += i) {
            for (int k = 0; k < j; k++) {
                s++;
            }
        }
    }
    for (int i = 1; i < n; i++) {
        for (int j = i; j < n; j *= 2) {
            s++;
        }
    }
    for (int width = 1; width < n; width *= 2) {
        for (int lo = 0; lo < m; lo += 2 * width) {
            s++;
        }
    }
    for (int i = n; i > 0; i--) {
        for (int j = 0; j < m; j += 2 * i + 3) {
            s++;
        }
    }
    for (int i = 0; i < n; i++) {
        for (int j = 0; j * j < n - i; j++) {
            s++;
        }
        for (int j = 0; j < n - i; j += i + 2) {
            s++;
        }
    }
    for (int i = 1; i <= n; i++) {
        for (int j = i; j <= n; j += i) {
            for (int k = 0; k < i; k++) {
                s++;
            }
        }
    }
    return 0;
}
