/* args: 3 5 | 8 2 | 1 9 : functions and variables under other names: aliases of aliases, in tables, what a resolver chooses
   flags: -w */
#include <stdio.h>
#include <stdlib.h>
struct big {
    long a[5];
    int n;
};
int v = 3;
extern int av __attribute__((alias("v")));
extern int av2 __attribute__((alias("av")));
int set(int k) { v = k; return k; }
int set1(int k) __attribute__((alias("set")));
int set2(int k) __attribute__((alias("set1")));
static int (*table[])(int) = {set2, set1};
static int *pv = &av2;
static int plus(struct big b, int k) { v = b.n + k; return 0; }
static int minus(struct big b, int k) { v = b.n - k; return 0; }
static void *pick(void) { return getenv("NOT_SET_ANYWHERE") ? minus : plus; }
int chosen(struct big b, int k) __attribute__((ifunc("pick")));
int main(int argc, char **argv) {
    int n = atoi(argv[1]), m = atoi(argv[2]), s = 0;
    puts("@set2 is @set");
    av = n;
    for (int i = 0; i < v; i++) {
        s++;
    }
    v = m;
    for (int i = 0; i < av2; i++) {
        s++;
    }
    set2(7);
    for (int i = 0; i < av; i++) {
        s++;
    }
    table[n & 1](m + 1);
    for (int i = 0; i < v; i++) {
        s++;
    }
    *pv = 4;
    for (int i = 0; i < v; i++) {
        s++;
    }
    struct big b = {{1, 2, 3}, n};
    chosen(b, 1);
    for (int i = 0; i < v; i++) {
        s++;
    }
    printf("%d\n", s);
}
