/* 20000 12 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
static int words(const char *s) {
    int n = 0;
    while (*s) {
        while (*s == ' ' || *s == '\n') s++;
        if (*s) n++;
        while (*s && *s != ' ' && *s != '\n') s++;
    }
    return n;
}
static long number(const char **s) {
    long v = 0;
    while (**s >= '0' && **s <= '9') v = 10 * v + *(*s)++ - '0';
    return v;
}
static int search(const char *s, const char *w) {
    int found = 0;
    for (; *s; s++) {
        int k = 0;
        while (w[k] && s[k] == w[k]) k++;
        found += !w[k];
    }
    return found;
}
static unsigned adler(const unsigned char *s, int n) {
    unsigned a = 1, b = 0;
    for (int i = 0; i < n; i++) { a = (a + s[i]) % 65521; b = (b + a) % 65521; }
    return b << 16 | a;
}
static int balanced(const char *s) {
    int depth = 0;
    for (; *s; s++) { if (*s == '(') depth++; else if (*s == ')' && --depth < 0) return 0; }
    return depth == 0;
}
int main(int argc, char **argv) {
    int n = atoi(argv[1]), rounds = atoi(argv[2]);
    char *s = malloc(n + 1);
    unsigned st = 77;
    for (int i = 0; i < n; i++) { st = st * 1664525u + 1013904223u; s[i] = "abcab 12 9(x)\n ce"[(st >> 20) % 17]; }
    s[n] = 0;
    long v = 0;
    for (int r = 0; r < rounds; r++) {
        v += words(s) + search(s, "ab") + adler((unsigned char *)s, n) + balanced(s);
        for (const char *p = s; *p;) { if (*p >= '0' && *p <= '9') v += number(&p); else p++; }
    }
    printf("%ld\n", v);
    return 0;
}
