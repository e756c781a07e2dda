/* args: 4 | 8 | 0 | 20 : callees that end the program or never return */
#include <stdlib.h>
#include <stdio.h>
#include <unistd.h>
static long seen;
static void check(int i) {
    if (i == 6) {
        fprintf(stderr, "too many\n");
        exit(0);
    }
}
static void hard(int i) {
    if (i > 12) _exit(0);
}
__attribute__((noreturn)) static void usage(void) {
    puts("usage");
    _Exit(2);
}
int main(int argc, char **argv) {
    int n = argc > 1 ? atoi(argv[1]) : 3;
    if (n == 0) usage();
    for (int i = 0; i < 3; i++) {
        seen++;
    }
    for (int i = 0; i < n; i++) {
        check(i);
        seen++;
    }
    for (int i = 0; i < n; i++) {
        hard(i);
        seen++;
    }
    for (int i = 0; i < n; i++) {
        seen++;
        if (seen > 1000) abort();
    }
    printf("%ld\n", seen);
    return 0;
}
