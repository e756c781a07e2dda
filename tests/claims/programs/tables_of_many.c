/* args: 3 | 6 | 0 : tables with more objects than are told apart, and with one that only a run tells */
#include <stdio.h>
#include <stdlib.h>
struct grid {
    int n;
    double d[64];
};
static struct grid all[30], first, last, *late[3];
static void scale(struct grid *x) {
    for (int i = 0; i < x->n; i++) {
        x->d[i] += 2;
    }
}
static void move(struct grid *x) {
    for (int i = 0; i < x->n; i++) {
        x->d[i] += 1;
    }
}
static struct grid *many[30] = {
    &all[0], &all[1], &all[2], &all[3], &all[4], &all[5],
    &all[6], &all[7], &all[8], &all[9], &all[10], &all[11],
    &all[12], &all[13], &all[14], &all[15], &all[16], &all[17],
    &all[18], &all[19], &all[20], &all[21], &all[22], &all[23],
    &all[24], &all[25], &all[26], &all[27], &all[28], &all[29],
};
typedef double (*step)(int);
static double once(int n) {
    double s = 0;
    for (int i = 0; i < n; i++) {
        s += i;
    }
    return s;
}
static double twice(int n) {
    double s = 0;
    for (int i = 0; i < 2 * n; i++) {
        s += i;
    }
    return s;
}
static const step steps[300] = {
    once, once, once, once, once, once, once, once, once, once, once, once,
    once, once, once, once, once, once, once, once, once, once, once, once,
    once, once, once, once, once, once, once, once, once, once, once, once,
    once, once, once, once, once, once, once, once, once, once, once, once,
    once, once, once, once, once, once, once, once, once, once, once, once,
    once, once, once, once, once, once, once, once, once, once, once, once,
    once, once, once, once, once, once, once, once, once, once, once, once,
    once, once, once, once, once, once, once, once, once, once, once, once,
    once, once, once, once, once, once, once, once, once, once, once, once,
    once, once, once, once, once, once, once, once, once, once, once, once,
    once, once, once, once, once, once, once, once, once, once, once, once,
    once, once, once, once, once, once, once, once, once, once, once, once,
    once, once, once, once, once, once, once, once, once, once, once, once,
    once, once, once, once, once, once, once, once, once, once, once, once,
    once, once, once, once, once, once, once, once, once, once, once, once,
    once, once, once, once, once, once, once, once, once, once, once, once,
    once, once, once, once, once, once, once, once, once, once, once, once,
    once, once, once, once, once, once, once, once, once, once, once, once,
    once, once, once, once, once, once, once, once, once, once, once, once,
    once, once, once, once, once, once, once, once, once, once, once, once,
    once, once, once, once, once, once, once, once, once, once, once, once,
    once, once, once, once, once, once, once, once, once, once, once, once,
    once, once, once, once, once, once, once, once, once, once, once, once,
    once, once, once, once, twice, twice, twice, twice, twice, twice, twice, twice,
    twice, twice, twice, twice, twice, twice, twice, twice, twice, twice, twice, twice,
};
int main(int argc, char **argv) {
    int n = atoi(argv[1]);
    for (int k = 0; k < 30; k++) {
        all[k].n = n + k;
    }
    for (int k = 0; k < 30; k++) {
        scale(many[k]);
    }
    first.n = n;
    last.n = n + 1;
    late[0] = &first;
    late[2] = &last;
    for (int k = 0; k < 3; k++) {
        if (!late[k]) {
            late[k] = getenv("LOOPLAW_NO_SUCH") ? &first : &last;
        }
    }
    for (int k = 0; k < 3; k++) {
        move(late[k]);
    }
    for (int k = 0; k < 300; k++) {
        all[0].d[0] += steps[k](n);
    }
    printf("%g\n", all[3].d[1] + first.d[0]);
    return 0;
}
