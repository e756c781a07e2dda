/* args: 4 3 | 0 0 | 2 9 : functions that a library is handed and calls later
   flags: -D_GNU_SOURCE */
#include <stdio.h>
#include <stdlib.h>
#include <printf.h>
#include <obstack.h>
static int starts, widths, t;
static int show(FILE *f, const struct printf_info *info, const void *const *args) {
    starts++;
    return fprintf(f, "%d", **(const int *const *const *)args);
}
static int sizes(const struct printf_info *info, size_t n, int *types, int *size) {
    widths += 2;
    if (n > 0) types[0] = PA_INT;
    return 1;
}
int main(int argc, char **argv) {
    int n = atoi(argv[1]), m = atoi(argv[2]);
    register_printf_specifier('Y', show, sizes);
    for (int i = 0; i < starts; i++) {
        t++;
    }
    dprintf(1, "%Y %Y\n", n, m);
    for (int i = 0; i < starts; i++) {
        t++;
    }
    for (int i = 0; i < widths; i++) {
        t++;
    }
    printf("%d\n", t);
    return 0;
}
