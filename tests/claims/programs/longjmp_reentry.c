/* args: 4 | 8 | 0 : setjmp returns twice and a loop runs again */
#include <setjmp.h>
#include <stdlib.h>
#include <stdio.h>
static jmp_buf again;
static volatile int round_number;
static void leave(int i, int n) {
    if (i == n / 2 && round_number < 3) {
        round_number++;
        longjmp(again, 1);
    }
}
int main(int argc, char **argv) {
    int n = argc > 1 ? atoi(argv[1]) : 3;
    long sum = 0;
    setjmp(again);
    for (int i = 0; i < n; i++) {
        leave(i, n);
        sum++;
    }
    for (int k = 0; k < n; k++) {
        sum++;
    }
    printf("%ld\n", sum);
    return 0;
}
