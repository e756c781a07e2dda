/* args: 3 5 | 8 2 | 12 1 | 0 9 : functions that the library calls though they were handed to it elsewhere : flags: -D_GNU_SOURCE */
#include <error.h>
#include <link.h>
#include <printf.h>
#include <search.h>
#include <stdio.h>
#include <stdlib.h>
static int names, printed, walked, objects, s;
static void name(void) {
    names += 3;
}
static int print(FILE *f, const struct printf_info *i, const void *const *a) {
    printed += 2;
    return 0;
}
static int kinds(const struct printf_info *i, size_t n, int *types, int *sizes) {
    if (n > 0) types[0] = PA_INT, sizes[0] = 4;
    return 1;
}
static int compare(const void *a, const void *b) {
    return *(const int *)a - *(const int *)b;
}
static void visit(const void *node, VISIT which, int depth) {
    walked++;
}
static int object(struct dl_phdr_info *info, size_t size, void *data) {
    objects = 2;
    return 1;
}
int main(int argc, char **argv) {
    int n = atoi(argv[1]), m = atoi(argv[2]);
    error_print_progname = name;
    names = n;
    error(0, 0, "a message");
    for (int i = 0; i < names; i++) {
        s++;
    }
    register_printf_specifier('W', print, kinds);
    char text[20];
    printed = n;
    snprintf(text, sizeof text, "%W", 3);
    for (int i = 0; i < printed; i++) {
        s++;
    }
    printed = m;
    printf("%W", 3);
    for (int i = 0; i < printed; i++) {
        s++;
    }
    int data[2] = {3, 1};
    void *root = 0;
    tsearch(&data[0], &root, compare);
    tsearch(&data[1], &root, compare);
    walked = n;
    twalk(root, visit);
    for (int i = 0; i < walked; i++) {
        s++;
    }
    objects = n;
    dl_iterate_phdr(object, 0);
    for (int i = 0; i < objects; i++) {
        s++;
    }
    printf("%d\n", s);
    return 0;
}
