/* args: 4 3 | 8 2 : what scanf writes beside a member, by its format */
#include <stdio.h>
#include <string.h>
#include <stdlib.h>
typedef struct { int n, k, dim, rest; } opts;
struct line { char name[4]; signed char low, high; };
int main(int argc, char **argv) {
    opts o = {5, 6, 7, 8}, p = {5, 6, 7, 8}, q = {5, 6, 7, 8}, r = {5, 6, 7, 8};
    struct line l = {"abc", 3, 4}, w = {"abc", 3, 4}, c = {"abc", 3, 4};
    long s = 0;
    char form[] = "%ld";
    sscanf(argv[1], "%d", &o.n);
    sscanf(argv[1], "%ld", (long *)&p.k);
    sscanf(argv[1], form, (long *)&q.n);
    sscanf("1 2 3", "%*d %d%n", &r.n, &r.dim);
    sscanf("defgh", "%s", l.name);
    sscanf("defgh", "%3s", w.name);
    sscanf("\x01\x02\x01\x02\x01\x02", "%5c", c.name);
    for (int i = 0; i < o.n; i++) {
        s++;
    }
    for (int i = 0; i < o.k; i++) {
        s++;
    }
    for (int i = 0; i < p.k; i++) {
        s++;
    }
    for (int i = 0; i < p.dim; i++) {
        s++;
    }
    for (int i = 0; i < p.rest; i++) {
        s++;
    }
    for (int i = 0; i < q.k; i++) {
        s++;
    }
    for (int i = 0; i < r.n; i++) {
        s++;
    }
    for (int i = 0; i < r.k; i++) {
        s++;
    }
    for (int i = 0; i < r.dim; i++) {
        s++;
    }
    for (int i = 0; i < l.low; i++) {
        s++;
    }
    for (int i = 0; i < w.low; i++) {
        s++;
    }
    for (int i = 0; i < c.low; i++) {
        s++;
    }
    for (int i = 0; i < c.high; i++) {
        s++;
    }
    printf("%ld\n", s);
    return 0;
}
