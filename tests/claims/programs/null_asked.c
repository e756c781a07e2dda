/* args: 4 3 | 8 2 | 3 6 | 0 5 : pointers that are null in some runs, on some paths, or in some calls */
#include <stdio.h>
#include <stdlib.h>

struct g {
    int n;
    struct g *other;
};

static long s;
static struct g *kept;

static struct g *made_if(int n) {
    if (n < 4) return NULL;
    struct g *g = malloc(sizeof *g);
    g->n = n;
    g->other = NULL;
    return g;
}

static struct g *later(int n) {
    struct g *g = NULL;
    for (int i = 0; i < n; i++) {
        if (i == 2) {
            g = malloc(sizeof *g);
            g->n = n;
            g->other = NULL;
        }
    }
    return g;
}

static struct g *chosen(struct g *a, struct g *b, int n) {
    return n > 3 ? a : b;
}

static void visit(const struct g *g, int n) {
    if (!g) return;
    for (int i = 0; i < n; i++) {
        s++;
    }
}

static void visit_other(const struct g *g, int n) {
    if (!g->other) return;
    for (int i = 0; i < n; i++) {
        s++;
    }
}

static void visit_kept(int n) {
    if (!kept) return;
    for (int i = 0; i < n; i++) {
        s++;
    }
}

static void down(struct g *g, int n) {
    if (g == NULL || n == 0) return;
    for (int i = 0; i < n; i++) {
        s++;
    }
    down(n % 2 ? g : NULL, n - 1);
}

static void release(struct g **g) {
    if (!*g) return;
    for (int i = 0; i < (*g)->n; i++) {
        s++;
    }
    free(*g);
    *g = NULL;
}

int main(int argc, char **argv) {
    int n = atoi(argv[1]), m = atoi(argv[2]);
    struct g local = {m, NULL};
    visit(made_if(n), m);
    visit(later(n), m);
    visit(chosen(&local, NULL, n), m);
    visit_other(&local, m);
    if (n > 5) local.other = &local;
    visit_other(&local, n);
    visit_kept(m);
    if (m > 2) kept = &local;
    visit_kept(n);
    down(&local, m);
    struct g *held = malloc(sizeof *held);
    held->n = n;
    release(&held);
    release(&held);
    visit(held, n);
    printf("%ld\n", s);
    return 0;
}
