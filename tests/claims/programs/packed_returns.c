/* args: 4 3 | 7 2 | 0 5 : packed members set by several calls, one changed afterwards, one handed on whole */
#include <stdio.h>
#include <stdlib.h>
typedef struct { int r, c; double *d; } M;
typedef struct { short a, b; int c; } S;
typedef struct { unsigned char a, b, c, d; } B;
static M make(int r, int c) { M m = {r, c, calloc(r * c + 1, 8)}; return m; }
static S small(short a, int c) { S s = {a, (short)(a + 1), c}; return s; }
static B bytes(unsigned char a, unsigned char b) { B x = {a, b, (unsigned char)(a + b), 1}; return x; }
static M same(M m) { return m; }
static M flip(M m) { M t = {m.c, m.r, m.d}; return t; }
static long sum(const M *m)
{
    long s = 0;
    for (int i = 0; i < m->r; i++) {
        for (int j = 0; j < m->c; j++) {
            s += m->d[i * m->c + j];
        }
    }
    return s;
}
int main(int argc, char **argv)
{
    int n = atoi(argv[1]), k = atoi(argv[2]);
    M a = make(n, k), b = make(k, n + 1), c = flip(a);
    b.r = n;
    long s = sum(&a) + sum(&b) + sum(&c);
    c = same(b);
    c.c--;
    s += sum(&c);
    S x = small((short)n, k), y = small((short)k, n * 2);
    for (int i = 0; i < x.b; i++) {
        s++;
    }
    for (int i = 0; i < y.c; i++) {
        s++;
    }
    B u = bytes((unsigned char)n, (unsigned char)k), v = bytes((unsigned char)k, 250);
    for (int i = 0; i < u.c; i++) {
        s++;
    }
    for (int i = 0; i < v.c; i++) {
        s++;
    }
    for (int q = 0; q < k; q++) {
        M t = make(q, n);
        s += sum(&t);
    }
    printf("%ld\n", s);
}
