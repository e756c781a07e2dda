/* args: 5 3 | 0 0 | 2 4 | 9 2 : members by their offset, by pointers to members, by addresses that are chosen or returned
   flags: -std=c++17 */
#include <cstddef>
#include <cstdio>
#include <cstdlib>
struct cfg { int a, b, c, d; long e; };
static cfg g;
static const struct { const char *name; std::size_t at; } table[] = {{"b", offsetof(cfg, b)}, {"c", offsetof(cfg, c)}, {"d", offsetof(cfg, d)}};
static int *at(void *p, std::size_t off) { return (int *)((char *)p + off); }
static void put(void *p, int v) { *(int *)p = v; }
static void puts2(cfg *p, int cfg::*m, int v) { p->*m = v; }
static int cfg::*which(int k) { return k > 3 ? &cfg::b : &cfg::c; }
int main(int argc, char **argv) {
    int n = atoi(argv[1]), m = atoi(argv[2]), t = 0;
    cfg l{1, n, n, n, 2};
    put((char *)&l + table[m % 3].at, 6);
    for (int i = 0; i < l.b + l.c + l.d; i++) {
        t++;
    }
    cfg x{1, n, n, n, 2};
    *at(&x, table[m % 3].at) = 7;
    for (int i = 0; i < x.b + x.c + x.d; i++) {
        t++;
    }
    cfg y{1, n, n, n, 2};
    puts2(&y, which(m), 8);
    for (int i = 0; i < y.b + y.c; i++) {
        t++;
    }
    cfg z{1, n, n, n, 2};
    int cfg::*mp = m > 3 ? &cfg::d : &cfg::c;
    z.*mp = 4;
    for (int i = 0; i < z.d + z.c; i++) {
        t++;
    }
    g.b = g.c = g.d = n;
    put((char *)&g + table[m % 3].at, 6);
    for (int i = 0; i < g.b + g.c + g.d; i++) {
        t++;
    }
    auto *h = new cfg{1, n, n, n, 3};
    *(int *)((char *)h + table[m % 3].at) = 5;
    for (int i = 0; i < h->b + h->c + h->d; i++) {
        t++;
    }
    int *q = (int *)h;
    q[m % 4] = 3;
    for (int i = 0; i < h->b + h->c + h->d; i++) {
        t++;
    }
    cfg w{1, n, n, n, 2};
    int *r = &w.a;
    r[m % 4] = 9;
    for (int i = 0; i < w.b + w.c + w.d; i++) {
        t++;
    }
    cfg v{1, n, n, n, 2};
    char *bytes = reinterpret_cast<char *>(&v);
    char *end = bytes + (m % 3 + 1) * 4;
    *reinterpret_cast<int *>(end) = 2;
    for (int i = 0; i < v.b + v.c + v.d; i++) {
        t++;
    }
    printf("%d\n", t);
    return 0;
}
