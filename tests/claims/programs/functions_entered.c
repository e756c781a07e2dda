/* args: 3 5 | 8 2 | 0 4 : functions that a function enters into a table, by number, in loops, and elsewhere */
#include <stdio.h>
#include <stdlib.h>
typedef int (*fn)(int);
struct entry {
    const char *name;
    fn run;
    int times;
};
static fn tests[8];
static int ntests;
static struct entry table[6];
static int entries;
static fn late[4];
static int nlate;
static fn many[8];
static int nmany;
static void add(fn f) { tests[ntests++] = f; }
static void enter(const char *name, fn f, int times) {
    table[entries].name = name;
    table[entries].run = f;
    table[entries++].times = times;
}
static void later(fn f) { late[nlate++] = f; }
static void often(fn f) { many[nmany++] = f; }
static void (*hidden)(fn) = later;
static int a(int n) {
    int s = 0;
    for (int i = 0; i < n; i++) {
        s++;
    }
    return s;
}
static int b(int n) {
    int s = 0;
    for (int i = 0; i < 2 * n; i++) {
        s++;
    }
    return s;
}
static int c(int n) {
    int s = 0;
    for (int i = 0; i < n + 1; i++) {
        s++;
    }
    return s;
}
static int d(int n) {
    int s = 0;
    for (int i = 0; i < n; i++) {
        s += 2;
    }
    return s;
}
static int e(int n) {
    int s = 0;
    for (int i = 0; i < n; i++) {
        s += 3;
    }
    return s;
}
static void init(void) {
    enter("c", c, 1);
    enter("d", d, 2);
}
int main(int argc, char **argv) {
    int n = atoi(argv[1]), m = atoi(argv[2]);
    int s = 0;
    add(a);
    add(b);
    add(a);
    for (int k = 0; k < ntests; k++) {
        s += tests[k](n);
    }
    init();
    enter("c", c, 1);
    for (int k = 0; k < entries; k++) {
        s += table[k].run(m);
    }
    later(d);
    hidden(e);
    for (int k = 0; k < nlate; k++) {
        s += late[k](n);
    }
    for (int k = 0; k < 4; k++) {
        often(k % 2 ? d : e);
    }
    for (int k = 0; k < nmany; k++) {
        s += many[k](m);
    }
    ntests = 1;
    add(e);
    for (int k = 0; k < ntests; k++) {
        s += tests[k](3);
    }
    printf("%d\n", s);
    return 0;
}
