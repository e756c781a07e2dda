/* args: 3 | 7 | 0 : programs compiled without rules on types
   flags: -fno-strict-aliasing */
#include <stdio.h>
#include <stdlib.h>
struct a { int n; int m; };
struct b { long both; };
static void put(void *p, long v) { *(long *)p = v; }
static void putf(void *p, float v) { *(float *)p = v; }
int main(int argc, char **argv) {
    int n = atoi(argv[1]), t = 0;
    int *v = malloc(64);
    v[0] = n;
    v[1] = n;
    put(v, 5);
    for (int i = 0; i < v[0]; i++) {
        t++;
    }
    for (int i = 0; i < v[1]; i++) {
        t++;
    }
    v[2] = n;
    long *w = (long *)v;
    w[1] = 4;
    for (int i = 0; i < v[2]; i++) {
        t++;
    }
    struct a x[4];
    x[1].n = n, x[1].m = n, x[2].n = n, x[2].m = n;
    struct b *y = (struct b *)x;
    for (int i = 1; i < 3; i++) {
        y[i].both = 6;
    }
    for (int i = 0; i < x[2].n + x[2].m; i++) {
        t++;
    }
    int z = n;
    putf(&z, 1e-44f);
    for (int i = 0; i < z; i++) {
        t++;
    }
    printf("%d\n", t);
    return 0;
}
