/* args: 5 | -3 | -8 | -1 | 4294967290 | 2147483640 | 2147483647 | 100 : values of a run that cancel, near where they wrap around */
#include <stdio.h>
#include <stdlib.h>
unsigned g;
static long t;
__attribute__((noinline)) unsigned got(FILE *f) { unsigned v = 0; if (fread(&v, 4, 1, f) != 1) return 7; return v; }
void exported(unsigned v) {
    for (unsigned i = v; i < v + 10; i++) {
        t++;
    }
}
void exported_le(unsigned v) {
    for (unsigned i = v; i <= v + 9; i++) {
        t++;
    }
}
void exported_ne(unsigned v) {
    for (unsigned i = v; i != v + 10; i++) {
        t++;
    }
}
void exported_ne2(unsigned v) {
    for (unsigned i = v; i != v + 10; i += 2) {
        t++;
    }
}
void exported3(unsigned v) {
    for (unsigned i = v; i < v + 10; i += 3) {
        t++;
    }
}
void exported_down(unsigned v) {
    for (unsigned i = v; i > v - 10; i--) {
        t++;
    }
}
void exported_size(size_t v) {
    for (size_t i = v; i < v + 10; i++) {
        t++;
    }
}
void exported_diff(unsigned v, unsigned w) {
    for (unsigned i = 0; i < v - (v - 5); i++) {
        t++;
    }
    unsigned j = v + w;
    for (unsigned i = w; i < j - v + 3; i++) {
        t++;
    }
}
int main(int argc, char **argv) {
    unsigned v = strtoul(argv[1], 0, 10);
    unsigned data[4] = {v, v, v, v};
    for (int k = 0; k < 4; k++) {
        data[k] += argc + got(stdin);
    }
    unsigned x = data[3];
    for (unsigned i = x; i < x + 10; i++) {
        t++;
    }
    unsigned y = got(stdin) - 12;
    for (unsigned i = y; i < y + 10; i++) {
        t++;
    }
    for (unsigned i = y; i <= y + 9; i++) {
        t++;
    }
    for (unsigned i = y; i != y + 9; i++) {
        t++;
    }
    for (unsigned i = y; i > y - 9; i--) {
        t++;
    }
    for (unsigned i = 0; y + i < y + 9; i++) {
        t++;
    }
    size_t z = got(stdin) - 12ull;
    for (size_t i = z; i < z + 10; i++) {
        t++;
    }
    for (size_t i = z; i <= z + 10; i += 3) {
        t++;
    }
    char *p = malloc(got(stdin) + 20);
    for (char *q = p; q < p + 10; q++) {
        t++;
    }
    exported(y); exported_le(y); exported_ne(y); exported_ne2(y); exported3(y); exported_down(y); exported_size(z);
    exported_diff(y, v);
    g = got(stdin) - 12;
    for (unsigned i = g; i < g + 10; i++) {
        t++;
    }
    printf("%ld\n", t);
}
