/* args: | 3 | 6 1 | 5 2 x | 9 : functions in arrays that a program fills, in part with what only a run tells */
#include <stdio.h>
#include <stdlib.h>
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
static double never(int n) {
    double s = 0;
    for (int i = 0; i < n + 3; i++) {
        s += i;
    }
    return s;
}
static step pick(int k) { return k > 3 ? twice : never; }
static step chosen(void) { return getenv("LOOPLAW_NO_SUCH") ? twice : never; }
struct stage {
    const char *name;
    step run;
    struct stage *next;
};
static double walk(struct stage *s, int n) {
    double sum = 0;
    for (; s; s = s->next) {
        sum += s->run(n);
    }
    return sum;
}
int main(int argc, char **argv) {
    int n = argc > 1 ? atoi(argv[1]) : 4, m = argc > 2 ? atoi(argv[2]) : 2;
    double s = 0;
    step t[3];
    t[0] = once;
    t[1] = pick(n);
    t[2] = chosen();
    for (int i = 0; i < 3; i++) {
        s += t[i](n);
    }
    step ended[4] = {once, pick(m), argc > 3 ? twice : NULL, NULL};
    for (step *p = ended; *p; p++) {
        s += (*p)(n);
    }
    int k = 0;
    struct stage *st = malloc(3 * sizeof *st);
    st[k].name = "a";
    st[k++].run = once;
    st[k].name = "b";
    st[k++].run = twice;
    st[k].name = "c";
    st[k++].run = never;
    for (int i = 0; i < k; i++) {
        s += st[i].run(n);
    }
    st[m % 3].run = once;
    for (int i = 0; i < k; i += 2) {
        s += st[i].run(n);
    }
    st[0].next = &st[2];
    st[2].next = NULL;
    s += walk(st, m);
    step *late = calloc(4, sizeof *late);
    for (int i = 0; i < 4; i++) {
        late[i] = i % 2 ? once : twice;
    }
    for (int i = 0; i < 4; i++) {
        s += late[i](n);
    }
    step f = once;
    if (getenv("LOOPLAW_NO_SUCH")) {
        f = never;
    }
    for (int i = 0; i < m; i++) {
        s += f(n);
        if (i == 1) {
            f = twice;
        }
    }
    printf("%g\n", s);
    free(st);
    free(late);
    return 0;
}
