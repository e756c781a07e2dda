// vary: n=-3:20; exact: 2 of 2
#include <stdio.h>
#include <stdlib.h>

int main(int argc, char **argv) {
    if (argc < 2) {
        fprintf(stderr, "usage\n");
        exit(2);
    }
    int n = atoi(argv[1]);
    if (n < 0) {
        fprintf(stderr, "negative\n");
        return 1;
    }
    double *a = malloc((size_t)(n + 1) * sizeof *a);
    if (a == NULL) {
        abort();
    }
    for (int i = 0; i < n; i++) {
        a[i] = i;
        if (a[i] < 0) exit(3);
    }
    long s = 0;
    for (int i = 0; i < n; i += 2) {
        s += (long)a[i];
    }
    printf("%ld\n", s);
    free(a);
    return 0;
}
