// vary: n=0:12; exact: 4 of 6
#include <stdlib.h>

static volatile long s;

typedef void (*job)(int);
struct operations { int id; job run; };

static void once(int n) {
    for (int i = 0; i < n; i++) {
        s++;
    }
}

static void doubly(int n) {
    for (int i = 0; i < 2 * n; i++) {
        s++;
    }
}

static void left(int n) {
    for (int i = 0; i < n + 1; i++) {
        s++;
    }
}

static void right(int n) {
    for (int i = 0; i < n + 2; i++) {
        s++;
    }
}

static void each(job f, int n) {
    for (int i = 0; i < n; i++) {
        f(i);
    }
}

static void through(struct operations *o, int n) {
    o->run(n);
}

int main(int argc, char **argv) {
    if (argc < 2) return 2;
    int n = atoi(argv[1]);
    each(once, n);
    struct operations o;
    o.id = 1;
    o.run = doubly;
    through(&o, n);
    job either = left;
    for (int i = 0; i < n; i++) {
        if (s % 7 == 3) either = right;
        either(n);
    }
    return 0;
}
