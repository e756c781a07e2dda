// expected: growth
// -- before
#include <stdlib.h>
static int s;
static void way(int n) {
    int *a = malloc((n + 2) * sizeof *a);
    for (int i = 0; i < n; i++) {
        a[i] = 1;
    }
    for (int i = 0; i < n; i++) {
        if (a[i] > 0) {
            a[i] = 4;
        }
    }
    for (int r = 0; r < n; r++) {
        for (int j = 0; j < a[r]; j++) {
            s++;
        }
    }
}
int main(int argc, char **argv) {
    int n = atoi(argv[1]);
    way(n);
    return s;
}
// -- after
#include <stdlib.h>
static int s;
static void way(int n) {
    int *a = malloc((n + 2) * sizeof *a);
    for (int i = 0; i < n; i++) {
        a[i] = 1;
    }
    for (int i = 0; i < n; i++) {
        for (int p = 0; p < n; p++)
            for (int q = 0; q < n; q++)
                s++;
        if (a[i] > 0) {
            a[i] = 4;
        }
    }
    for (int r = 0; r < n; r++) {
        for (int j = 0; j < a[r]; j++) {
            s++;
        }
    }
}
int main(int argc, char **argv) {
    int n = atoi(argv[1]);
    way(n);
    return s;
}
