/* args: 4 | 8 | 20 : a signal handler writes what a loop reads */
#include <signal.h>
#include <stdlib.h>
#include <stdio.h>
static int limit;
static volatile sig_atomic_t stop;
static void handler(int s) {
    (void)s;
    limit = 3;
    stop = 1;
}
int main(int argc, char **argv) {
    int n = argc > 1 ? atoi(argv[1]) : 3;
    long sum = 0;
    limit = n;
    signal(SIGUSR1, handler);
    for (int i = 0; i < limit; i++) {
        sum++;
        if (i == 1) raise(SIGUSR1);
    }
    for (int i = 0; i < n; i++) {
        if (stop) break;
        sum++;
    }
    for (int i = 0; i < limit; i++) {
        sum++;
    }
    printf("%ld\n", sum);
    return 0;
}
