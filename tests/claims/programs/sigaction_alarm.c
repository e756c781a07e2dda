/* args: 4 | 8 : a handler set by sigaction, called by alarm */
#include <signal.h>
#include <stdlib.h>
#include <stdio.h>
#include <unistd.h>
static int bound = 5;
static void handler(int s) {
    (void)s;
    bound = 9;
    for (int k = 0; k < 4; k++) {
        bound++;
    }
}
int main(int argc, char **argv) {
    int n = argc > 1 ? atoi(argv[1]) : 3;
    long sum = 0;
    struct sigaction a = {0};
    a.sa_handler = handler;
    sigaction(SIGALRM, &a, NULL);
    kill(getpid(), SIGALRM);
    for (int i = 0; i < bound * n; i++) {
        sum++;
    }
    printf("%ld\n", sum);
    return 0;
}
