/* args:7|3|0 : what is written through a pointer to one of several objects; addresses of members as
   constants that carry attributes */
#include <stdlib.h>
#include <string.h>
#include <time.h>
volatile long s;
int g1, g2;
struct S {
    int a, b;
} S1, S2, T;
struct F {
    long first;
    struct timespec at;
} F1;
__attribute__((noinline)) void own(int *z) { *z = 7; }
__attribute__((noinline)) void fill(struct F *f) { clock_getres(CLOCK_REALTIME, &f->at); }
int main(int argc, char **argv) {
    int a = 3, b = 4, c = 5, d = 6, e = 2, f = 1, u = 1, v = 2;
    int n = atoi(argv[1]);
    struct timespec x = {0, 0}, y = {0, 0};
    clock_getres(CLOCK_REALTIME, n > 5 ? &x : &y);
    for (int k = 0; k < x.tv_nsec + 3; k++) {
        s += k;
    }
    own(n > 5 ? &c : &d);
    for (int k = 0; k < c; k++) {
        s += k;
    }
    *(n > 5 ? &e : &f) = 9;
    for (int k = 0; k < e; k++) {
        s += k;
    }
    own(n > 5 ? &g1 : &g2);
    for (int k = 0; k < g1; k++) {
        s += k;
    }
    own(n > 5 ? &S1.b : &S2.b);
    for (int k = 0; k < S1.b; k++) {
        s += k;
    }
    int *p = n > 3 ? &u : &v;
    memset(p, 1, 1);
    for (int k = 0; k < u % 7; k++) {
        s += k;
    }
    own(&T.b);
    for (int k = 0; k < T.b; k++) {
        s += k;
    }
    fill(&F1);
    for (int k = 0; k < F1.at.tv_nsec; k++) {
        s += k;
    }
    clock_getres(CLOCK_REALTIME, &F1.at);
    for (int k = 0; k < F1.at.tv_nsec; k++) {
        s += k;
    }
    int *r = &a;
    for (int k = 0; k < n; k++) {
        r = r == &a ? &b : &a;
    }
    *r = 11;
    for (int k = 0; k < a; k++) {
        s += k;
    }
    return 0;
}
