// args: 4 3 | 8 2 | 5 5 : a pointer in memory leads to what is handed
#include <cstdio>
#include <cstdlib>
struct state { int n, m; };
static long s;
struct holder { state &held; int &part; };
__attribute__((noinline)) static void hold(state &t, holder &h) { h.part = t.m; h.held.m += 0; }
struct visitor { virtual void visit(state &t) = 0; virtual ~visitor() = default; };
struct setter : visitor { int *at; setter(int *p) : at(p) {} void visit(state &t) override { *at = t.m; } };
__attribute__((noinline)) static void toss(state *t) { throw t; }
__attribute__((noinline)) static void caught(state &t) {
    try { toss(&t); } catch (state *p) { p->n = p->m; }
}
int main(int argc, char **argv) {
    int n = std::atoi(argv[1]), m = std::atoi(argv[2]);
    state d{n, m}, e{n, m}, f{n, m}, g{n, m};
    holder h{d, d.n};
    for (int k = 0; k < 3; k++) {
        for (int i = 0; i < d.n; i++) s += i;
        hold(d, h);
    }
    setter own(&e.n);
    visitor *v = &own;
    for (int k = 0; k < 3; k++) {
        for (int i = 0; i < e.n; i++) s += i;
        v->visit(e);
    }
    for (int k = 0; k < 3; k++) {
        for (int i = 0; i < f.n; i++) s += i;
        caught(f);
    }
    auto outer = [&g] { auto inner = [&g](int v) { g.n = v; }; inner(g.m); };
    for (int k = 0; k < 3; k++) {
        for (int i = 0; i < g.n; i++) s += i;
        outer();
    }
    std::printf("%ld\n", s);
}
