/* 6 2: n=6 m=2 | 3 5: n=3 m=5 */
#include <stdio.h>
#include <stdlib.h>
typedef int (*test)(int);
static struct {
    const char *name;
    test run;
} tests[16];
static int ntests;
static void add(const char *name, test run) {
    tests[ntests].name = name;
    tests[ntests++].run = run;
}
static int sums(int n) {
    int s = 0;
    for (int i = 0; i < n; i++) { /* 2*n */
        s += i;
    }
    return s;
}
static int pairs(int n) {
    int s = 0;
    for (int i = 0; i < n; i++) { /* n */
        for (int j = 0; j < n; j++) { /* n**2 */
            s += i * j;
        }
    }
    return s;
}
int main(int argc, char **argv) {
    if (argc < 3) {
        return 1;
    }
    int n = atoi(argv[1]), m = atoi(argv[2]), s = 0;
    add("sums", sums);
    add("pairs", pairs);
    add("sums again", sums);
    for (int k = 0; k < ntests; k++) { /* 3 */
        s += tests[k].run(n);
    }
    for (int i = 0; i < m; i++) { /* m */
        s++;
    }
    printf("%d\n", s);
    return 0;
}
