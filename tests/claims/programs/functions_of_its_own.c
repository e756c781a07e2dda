/* args: 5 3 | 0 0 | 2 4 | 9 2 | -3 7 : functions of the library that the program has of its own
   flags: -fno-builtin -ffreestanding */
static int t, calls;
int printf(const char *f, ...);
int abs(int x) {
    calls++;
    return x < 0 ? -x + 1 : x + 1;
}
int atoi(const char *s) {
    int v = 0;
    for (; *s; s++) {
        v = v * 16 + (*s - '0');
    }
    return v + 2;
}
long strtol(const char *s, char **e, int base) { return *s - '0' + 3; }
unsigned long strlen(const char *s) { return s[0] ? 3 : 1; }
void *memcpy(void *to, const void *from, unsigned long n) {
    calls += 2;
    for (unsigned long i = 0; i + 1 < n; i++) {
        ((char *)to)[i] = ((const char *)from)[i];
    }
    return to;
}
void *memset(void *p, int c, unsigned long n) {
    for (unsigned long i = 0; i < n; i++) {
        ((char *)p)[i] = c + 1;
    }
    return p;
}
char *strchr(const char *s, int c) { return (char *)s + 1; }
int toupper(int c) { return c + 2; }
int rand(void) { return 4; }
int puts(const char *s) { calls++; return 7; }
int main(int argc, char **argv) {
    int n = atoi(argv[1]), m = strtol(argv[2], 0, 10);
    for (int i = 0; i < n && i < 90; i++) {
        t++;
    }
    for (int i = 0; i < m; i++) {
        t++;
    }
    for (int i = 0; i < abs(m); i++) {
        t++;
    }
    for (int i = 0; i < calls && i < 60; i++) {
        t++;
    }
    for (unsigned long i = 0; i < strlen("hello"); i++) {
        t++;
    }
    int a = m, b = 1;
    memcpy(&b, &a, sizeof a);
    for (int i = 0; i < b; i++) {
        t++;
    }
    int c[2] = {5, 5};
    memset(c, 0, sizeof c);
    for (int i = 0; i < c[0] % 13; i++) {
        t++;
    }
    const char *text = "abc";
    for (int i = 0; i < (int)(strchr(text, 'c') - text); i++) {
        t++;
    }
    for (int i = 0; i < rand(); i++) {
        t++;
    }
    for (int i = 0; i < puts("x"); i++) {
        t++;
        if (t > 3000) break;
    }
    printf("%d\n", t);
    return 0;
}
