/* args: 3 | 8 | 1 | 17 : unions and casts at -O0, where no types are told
   flags: -O0 */
#include <stdio.h>
#include <stdlib.h>
union u { int i; long l; float f; short h[4]; };
static union u table[8];
static void putl(union u *p, int k, long v) { p[k].l = v; }
static void putf(union u *p, int k, float v) { p[k].f = v; }
static void puth(union u *p, int k, short v) { p[k].h[0] = v; }
struct var { int tag; union { int i; double d; long l; char *s; } v; };
static void setv(struct var *v, long k) { v->v.l = k; }
int main(int argc, char **argv) {
    int n = atoi(argv[1]), t = 0, j = n & 7;
    table[j].i = n;
    putl(table, j, 3);
    for (int i = 0; i < table[j].i; i++) {
        t++;
    }
    table[2].i = n;
    putf(table, 2, 4e-45f);
    for (int i = 0; i < table[2].i; i++) {
        t++;
    }
    union u *p = &table[j];
    p->i = n;
    puth(table, j, 2);
    for (int i = 0; i < p->i; i++) {
        t++;
    }
    union u *q = malloc(8 * sizeof *q);
    q[j].i = n;
    q[n & 7].l = 6;
    for (int i = 0; i < q[j].i; i++) {
        t++;
    }
    struct var v;
    v.v.i = n;
    setv(&v, 5);
    for (int i = 0; i < v.v.i; i++) {
        t++;
    }
    struct var *w = malloc(4 * sizeof *w);
    w[j & 3].v.i = n;
    setv(w + (n & 3), 5);
    for (int i = 0; i < w[j & 3].v.i; i++) {
        t++;
    }
    printf("%d\n", t);
    return 0;
}
