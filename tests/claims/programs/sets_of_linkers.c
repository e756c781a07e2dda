/* args: 5 3 | 0 0 | 2 4 | 9 2 : sets that the linker makes of variables in one section */
#include <stdio.h>
#include <stdlib.h>
struct test { int n, m; void (*run)(int); };
static int t, calls;
static void one(int n) {
    for (int i = 0; i < n; i++) {
        t++;
    }
    calls++;
}
static void two(int n) { one(n + 1); }
#define TEST(name, f) static struct test name __attribute__((section("tests"), used)) = {2, 3, f}
TEST(first, one);
TEST(second, two);
extern struct test __start_tests[], __stop_tests[];
int main(int argc, char **argv) {
    int n = atoi(argv[1]), m = atoi(argv[2]);
    for (struct test *p = __start_tests; p < __stop_tests; p++) {
        p->n = n;
        p->run(m);
    }
    for (int i = 0; i < first.n + second.m; i++) {
        t++;
    }
    for (int i = 0; i < calls; i++) {
        t++;
    }
    first.n = 1;
    __start_tests[0].n = n;
    for (int i = 0; i < first.n; i++) {
        t++;
    }
    printf("%d\n", t);
    return 0;
}
