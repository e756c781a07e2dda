/* args: 4 | 8 | 0 : inline assembly writes a bound, by operand or by memory */
#include <stdlib.h>
#include <stdio.h>
int main(int argc, char **argv) {
    int n = argc > 1 ? atoi(argv[1]) : 3;
    long sum = 0;
    int m = n;
    __asm__ volatile("addl $2, %0" : "+r"(m));
    for (int i = 0; i < m; i++) {
        sum++;
    }
    static int g = 4;
    int *p = &g;
    __asm__ volatile("movl $9, (%0)" : : "r"(p) : "memory");
    for (int i = 0; i < g; i++) {
        sum++;
    }
    int k;
    __asm__("movl $6, %0" : "=r"(k));
    for (int i = 0; i < k; i++) {
        sum++;
    }
    printf("%ld\n", sum);
    return 0;
}
