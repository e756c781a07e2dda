// expected: growth or undecided
// -- before
#include <string.h>
void f(char *d, const char *s, int n) {
    char *p = d;
    for (int i = 0; i < n; i++) {
        *p++ = s[i];
    }
    *p = 0;
}
// -- after
#include <string.h>
void f(char *d, const char *s, int n) {
    d[0] = 0;
    for (int i = 0; i < n; i++) {
        char b[2] = {s[i], 0};
        strcat(d, b);
    }
}
