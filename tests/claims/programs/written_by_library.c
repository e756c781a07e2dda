/* args: 5 | 9 | 2 : numbers that a library function writes through an argument list, or %n */
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
static int scanned(const char *text, const char *format, ...) {
    va_list list;
    va_start(list, format);
    int found = vsscanf(text, format, list);
    va_end(list);
    return found;
}
static void put(char *out, const char *format, ...) {
    va_list list;
    va_start(list, format);
    vsprintf(out, format, list);
    va_end(list);
}
int main(int argc, char **argv) {
    int n = argc > 1 ? atoi(argv[1]) : 3, s = 0;
    int a = n, b = n, c = n, d = n;
    short e = n;
    scanned("17", "%d", &a);
    for (int i = 0; i < a; i++) {
        s++;
    }
    printf("%d%n\n", n, &b);
    for (int i = 0; i < b; i++) {
        s++;
    }
    char text[64];
    put(text, "%s: %n%d", "abcde", &c, n);
    for (int i = 0; i < c; i++) {
        s++;
    }
    snprintf(text, sizeof text, "%-12d%hn", n, &e);
    for (int i = 0; i < e; i++) {
        s++;
    }
    printf("%d %p\n", d, (void *)&d);
    for (int i = 0; i < d; i++) {
        s++;
    }
    printf("%d\n", s);
    return 0;
}
