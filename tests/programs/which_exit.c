// vary: n=-3:20 m=-3:20; exact: 5 of 8
#include <stdlib.h>

static volatile long s;

static void marked(int n, int m) {
    int x = 1;
    for (int j = 0; j < n; j++) {
        if (m > n) {
            x = 5;
            break;
        }
        s++;
    }
    for (int k = 0; k < x; k++) {
        s++;
    }
}

static void out_of_both(int n, int m) {
    for (int i = 0; i < m; i++) {
        for (int j = 0; j < n; j++) {
            if (n < m) goto out;
            s++;
        }
    }
    out: s++;
}

static void one_of_two(int n, int m) {
    for (int j = 0; j < n; j++) {
        if (0 >= 2 * n - m) goto other;
        s++;
    }
    for (int k = 0; k < m; k++) {
        s++;
    }
    return;
    other:
    for (int k = 0; k < n; k++) {
        s++;
    }
}

static void always(int n) {
    int x = 2;
    for (int j = 0; j < n; j++) {
        x = 3;
        s++;
    }
    s += x;
}

int main(int argc, char **argv) {
    if (argc < 3) return 2;
    int n = atoi(argv[1]), m = atoi(argv[2]);
    marked(n, m);
    out_of_both(n, m);
    one_of_two(n, m);
    always(n);
    return 0;
}
