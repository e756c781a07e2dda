/* args: 4 3 | 8 2 | 0 5 | 20 7 : a handler ends the program, a timer runs it
   flags: -D_GNU_SOURCE */
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/time.h>
#include <unistd.h>
static int limit;
static void handler(int number) {
    (void)number;
    if (limit > 5) _exit(1);
    limit++;
}
int main(int argc, char **argv) {
    if (argc < 3) return 1;
    int n = atoi(argv[1]), m = atoi(argv[2]);
    long s = 0;
    limit = n;
    struct sigaction action;
    memset(&action, 0, sizeof action);
    action.sa_handler = handler;
    sigaction(SIGALRM, &action, 0);
    sigset_t alarm, before;
    sigemptyset(&alarm);
    sigaddset(&alarm, SIGALRM);
    sigprocmask(SIG_BLOCK, &alarm, &before);
    struct itimerval soon;
    memset(&soon, 0, sizeof soon);
    soon.it_value.tv_usec = 2000;
    setitimer(ITIMER_REAL, &soon, 0);
    sigsuspend(&before);
    for (int i = limit; i > 0; i--) {
        s++;
    }
    for (int i = 0; i < m; i++) {
        s++;
    }
    printf("%ld\n", s);
    return 0;
}
