/* args: | 4 | 8 2 3 | 5 6 | 9 1 1 1 : usage checks, words read by a variable number, a default */
#include <stdio.h>
#include <stdlib.h>
static int usage(const char *name) {
    for (const char *p = name; *p; p++) {
        fputc(*p, stderr);
    }
    for (int i = 0; i < 4; i++) {
        fputs("usage\n", stderr);
    }
    return 2;
}
static long total(int argc, char **argv) {
    long t = 0;
    for (int i = 1; i < argc; i++) {
        t += atoi(argv[i]);
    }
    return t;
}
int main(int argc, char **argv) {
    long s = 0;
    if (argc != 4) {
        if (argc == 3) {
            for (int i = 0; i < 6; i++) {
                s++;
            }
        }
        return usage(argv[0]);
    }
    int n = atoi(argv[1]);
    for (int i = 0; i < n; i++) {
        s++;
    }
    for (int i = 0; i < total(argc, argv); i++) {
        s++;
    }
    do {
        s++;
        argc--;
    } while (argc > 0);
    printf("%ld\n", s);
    return 0;
}
