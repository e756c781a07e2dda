/* args: 4 3 | 8 2 | 0 5 : a comparator that is chosen at run time writes a bound */
#include <stdio.h>
#include <stdlib.h>
static int g = 2;
static int up(const void *a, const void *b) {
    g = 5;
    return *(const int *)a - *(const int *)b;
}
static int down(const void *a, const void *b) {
    g = 7;
    return *(const int *)b - *(const int *)a;
}
static void sorted(int *data, int count, int (*order)(const void *, const void *)) {
    qsort(data, count, sizeof *data, order);
}
int main(int argc, char **argv) {
    int n = argc > 1 ? atoi(argv[1]) : 3;
    long s = 0;
    int data[4] = {3, 1, 2, 0};
    sorted(data, 4, n > 5 ? up : down);
    for (int i = 0; i < g; i++) {
        s++;
    }
    printf("%ld\n", s + data[0]);
    return 0;
}
