/* args: 3 | 5 | 0 : calls of malloc that the compiler drops, through the program's own one */
#include <stdio.h>
#include <stdlib.h>
static int calls, frees;
static char arena[1 << 16];
static size_t at;
void *malloc(size_t n) {
    calls++;
    void *p = arena + at;
    at += (n + 15) & ~15ul;
    return p;
}
void free(void *p) { frees++; }
int main(int argc, char **argv) {
    int n = atoi(argv[1]), t = 0, before = calls, fb = frees;
    for (int i = 0; i < n; i++) {
        int *p = malloc(sizeof *p);
        free(p);
    }
    int made = calls - before, freed = frees - fb;
    for (int i = 0; i < made; i++) {
        t++;
    }
    for (int i = 0; i < freed; i++) {
        t++;
    }
    printf("%d\n", t);
    return 0;
}
