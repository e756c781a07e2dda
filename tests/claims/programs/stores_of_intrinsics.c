/* args: 3 5 | 8 2 | 12 1 | 0 9 : stores that are calls of intrinsics : flags: -fenable-matrix */
#include <stdio.h>
#include <stdlib.h>
typedef char bytes __attribute__((vector_size(16)));
typedef int square __attribute__((matrix_type(2, 2)));
static int s;
int main(int argc, char **argv) {
    int n = atoi(argv[1]), m = atoi(argv[2]);
    int from[4] = {1, 2, 3, 4}, to[4] = {n, n, n, n};
    square x = __builtin_matrix_column_major_load(from, 2, 2, 2);
    __builtin_matrix_column_major_store(x, to, 2);
    for (int i = 0; i < to[1]; i++) {
        s++;
    }
#if defined(__x86_64__)
    int some[8] = {m, m, m, m, m, m, m, m};
    bytes zeros = {0}, all = ~zeros;
    __builtin_ia32_maskmovdqu(zeros, all, (char *)some);
    for (int i = 0; i < some[2]; i++) {
        s++;
    }
    some[1] = n;
    __builtin_ia32_movnti(&some[1], 4);
    for (int i = 0; i < some[1]; i++) {
        s++;
    }
#endif
    int copy[4] = {n, n, n, n};
    __builtin_memcpy_inline(copy, from, sizeof copy);
    for (int i = 0; i < copy[2]; i++) {
        s++;
    }
    printf("%d\n", s);
    return 0;
}
