/* args: 4 3 | 8 2 | 0 5 | 20 7 : err, error and traps end the program
   flags: -D_GNU_SOURCE */
#include <err.h>
#include <error.h>
#include <stdio.h>
#include <stdlib.h>
static void report(int n) {
    (void)n;
    error(3, 0, "x");
}
static void (*pointer)(int) = report;
int main(int argc, char **argv) {
    if (argc < 3) errx(1, "usage: program n m");
    int n = atoi(argv[1]), m = atoi(argv[2]);
    long s = 0;
    error(0, 0, "only said");
    for (int i = 0; i < n; i++) {
        s++;
    }
    if (n == 8) pointer(n);
    for (int i = 0; i < m; i++) {
        s++;
    }
    if (n == 20) errx(2, "large");
    for (int i = 0; i < n; i++) {
        s++;
    }
    if (n == 0) __builtin_trap();
    for (int i = 0; i < m; i++) {
        s++;
    }
    printf("%ld\n", s);
    return 0;
}
