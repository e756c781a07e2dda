/* args: 3 | 8 | 12 | 0 : what runs where a process is made, and another context : flags: -D_GNU_SOURCE */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <ucontext.h>
#include <unistd.h>
static int before, turns, s;
static ucontext_t here, there;
static char stack[65536];
static void prepare(void) {
    before += 10;
}
static void other(void) {
    for (int k = 0; k < 3; k++) {
        turns += 2;
        swapcontext(&there, &here);
    }
}
int main(int argc, char **argv) {
    int n = atoi(argv[1]);
    pthread_atfork(prepare, 0, 0);
    before = n;
    if (fork() == 0) _exit(0);
    wait(0);
    for (int i = 0; i < before; i++) {
        s++;
    }
    getcontext(&there);
    there.uc_stack.ss_sp = stack;
    there.uc_stack.ss_size = sizeof stack;
    there.uc_link = &here;
    makecontext(&there, other, 0);
    turns = n;
    swapcontext(&here, &there);
    for (int i = 0; i < turns; i++) {
        s++;
    }
    turns = n;
    swapcontext(&here, &there);
    for (int i = 0; i < turns; i++) {
        s++;
    }
    printf("%d\n", s);
    return 0;
}
