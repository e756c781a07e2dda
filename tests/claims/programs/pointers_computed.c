/* args: 3 5 | 8 2 | 12 1 | 0 9 : pointers that an intrinsic rounds, and stores of the processor under a mask */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#if defined(__x86_64__)
#include <immintrin.h>
#endif
int main(int argc, char **argv) {
    int n = atoi(argv[1]), m = atoi(argv[2]);
    int s = 0;
    _Alignas(64) int cells[16];
    cells[0] = n;
    int *p = __builtin_align_down(&cells[5], 64);
    *p = 4;
    for (int i = 0; i < cells[0]; i++) {
        s++;
    }
    cells[8] = n;
    p = (int *)__builtin_align_up((char *)&cells[7], 32);
    *p = m;
    for (int i = 0; i < cells[8]; i++) {
        s++;
    }
    int one[4] = {n, n, n, n};
#if defined(__x86_64__)
    _mm_maskmoveu_si128(_mm_set1_epi32(2), _mm_set_epi32(0, 0, -1, -1), (char *)one);
#endif
    for (int i = 0; i < one[1]; i++) {
        s++;
    }
    uintptr_t bits = (uintptr_t)&one[0];
    *(int *)(bits ^ 4) = 6;
    for (int i = 0; i < one[1]; i++) {
        s++;
    }
    printf("%d\n", s);
    return 0;
}
