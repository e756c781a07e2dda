// vary: n=1:12; exact: 3 of 3
#include <stdio.h>
#include <stdlib.h>

int main(int argc, char **argv) {
    if (argc < 2) return 2;
    int n = atoi(argv[1]);
    int *start = calloc((size_t)n + 1, sizeof *start);
    for (int i = 0; i < n; i++) {
        start[i + 1] = start[i] + (i * 7) % 5;
    }
    long s = 0;
    for (int i = 0; i < n; i++) {
        for (int k = start[i]; k < start[i + 1]; k++) {
            s += k;
        }
    }
    printf("%ld\n", s);
    return 0;
}
