/* args: 4 3 | 8 2 | 5 5 : words that sscanf reads into variables, written behind and before */
#include <stdio.h>
#include <stdlib.h>
static void get(const char *s, int *out) { sscanf(s, "%d", out); }
static void bump(int *p) { *p += 1; }
int main(int argc, char **argv) {
    int n = 10, m = 5, k = 1, x[4];
    long l = 0; short sh = 7;
    sscanf(argv[1], "%d", &n);
    double s = 0;
    for (int i = 0; i < n; i++) {
        s += i;
    }
    bump(&n);
    for (int i = 0; i < n; i++) {
        s += i;
    }
    for (int a = 1; a < argc; a++) {
        sscanf(argv[a], "%d", &k);
        for (int i = 0; i < k; i++) {
            s += i;
        }
    }
    get(argv[2], &m);
    for (int i = 0; i < m; i++) {
        s += i;
    }
    get(argv[1], &m);
    for (int i = 0; i < m; i++) {
        s += i;
    }
    sscanf(argv[2], "%ld", &l);
    for (int i = 0; i < l; i++) {
        s += i;
    }
    sscanf(argv[2], "%hd", &sh);
    for (int i = 0; i < sh; i++) {
        s += i;
    }
    x[0] = x[1] = x[2] = x[3] = 2;
    sscanf(argv[1], "%d", x + 1);
    for (int i = 0; i < x[1]; i++) {
        s += i;
    }
    for (int i = 0; i < x[2]; i++) {
        s += i;
    }
    int only;
    if (n > 6) sscanf(argv[2], "%d", &only); else sscanf(argv[1], "%d", &only);
    for (int i = 0; i < only; i++) {
        s += i;
    }
    if (n > 6) sscanf(argv[2], "%d", &n);
    for (int i = 0; i < n; i++) {
        s += i;
    }
    int *p = n > 5 ? &m : &k;
    sscanf(argv[2], "%d", p);
    for (int i = 0; i < m; i++) {
        s += i;
    }
    for (int i = 0; i < k; i++) {
        s += i;
    }
    printf("%g\n", s);
    return 0;
}
