// expected: growth or undecided
// -- before
#include <string.h>
static int up(char *s, int n) {
    int c = 0;
    for (int i = 0; i < n; i++) c += s[i]>64;
    return c;
}
int f(char *s) {
    return up(s, strlen(s));
}
// -- after
#include <string.h>
static int up(char *s) {
    int c = 0;
    for (unsigned long i = 0; i < strlen(s); i++) c += s[i]>64;
    return c;
}
int f(char *s) {
    return up(s);
}
