/* args: 8 | 30 | 0 | 5 : what stood in memory before setjmp may have changed when it returns again */
#include <setjmp.h>
#include <stdlib.h>
#include <stdio.h>
#include <ucontext.h>
static jmp_buf again;
static ucontext_t there;
static int tries, rounds, limit;
static long sum;
static void work(int n) {
    for (int i = 0; i < n; i++) {
        sum++;
        if (i == 5 && tries < 3) {
            tries++;
            limit = 2;
            longjmp(again, 1);
        }
    }
}
int main(int argc, char **argv) {
    int n = argc > 1 ? atoi(argv[1]) : 3;
    int most[2] = {4, 5};
    limit = 7;
    setjmp(again);
    for (int i = 0; i < limit; i++) {
        sum++;
    }
    for (int i = 0; i < most[n & 1]; i++) {
        sum++;
    }
    most[0] = most[1] = 9;
    work(n);
    getcontext(&there);
    for (int k = 0; k < rounds; k++) {
        sum++;
    }
    if (rounds < 2) {
        rounds++;
        setcontext(&there);
    }
    printf("%ld\n", sum);
    return 0;
}
