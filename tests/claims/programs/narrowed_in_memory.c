/* args: 3 5 | 8 2 | 0 9 | 300 -100 | 300 129 | 0 129 | 2 -300 : loops that narrow what a place holds, which else stays as it is */
#include <stdio.h>
#include <stdlib.h>
static signed char kept(int x, int *p) { (void)p; return x; }
struct box { int size, used; };
int main(int argc, char **argv) {
    int n = atoi(argv[1]), m = atoi(argv[2]), s = 0;
    int k = m;
    for (int i = 0; i < n; i++) {
        k = kept(k, &k);
    }
    for (int i = 0; i < k; i++) {
        s++;
    }
    struct box *b = malloc(sizeof *b);
    b->size = m;
    b->used = n;
    for (int i = 0; i < b->used; i++) {
        b->size = (unsigned char)b->size;
    }
    for (int i = 0; i < b->size; i++) {
        s++;
    }
    printf("%d\n", s);
}
