#include <stdlib.h>

long work(int n, int m);

int main(int argc, char **argv) {
    if (argc < 3) return 2;
    int n = atoi(argv[1]), m = atoi(argv[2]);
    long s = 0;
    for (int i = 0; i < n; i++) {
        s += work(i, m);
    }
    return s < 0;
}
