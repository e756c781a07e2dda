/* args: 4 | 9 : handlers and threads that write what loops read; barriers in assembly */
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>
struct state { int size; int limit; };
static struct state shared;
static int plain = 3;
static int before = 2;
static void on_signal(int s, siginfo_t *info, void *context) {
    (void)s; (void)info; (void)context;
    shared.limit += 5;
}
static void grow(struct state *s) { s->size = 17; }
static void *start(void *p) {
    grow((struct state *)p);
    plain = 8;
    return NULL;
}
__attribute__((constructor)) static void early(void) { before = 6; }
static void install(void) {
    struct sigaction a = {0};
    a.sa_sigaction = on_signal;
    a.sa_flags = SA_SIGINFO;
    sigaction(SIGUSR2, &a, NULL);
}
int main(int argc, char **argv) {
    int n = argc > 1 ? atoi(argv[1]) : 3;
    long s = 0;
    struct state own = {n, n};
    shared.limit = n;
    install();
    kill(getpid(), SIGUSR2);
    pthread_t t;
    pthread_create(&t, NULL, start, &own);
    pthread_join(t, NULL);
    for (int i = 0; i < shared.limit; i++) {
        s++;
    }
    for (int i = 0; i < own.size; i++) {
        s++;
    }
    for (int i = 0; i < plain; i++) {
        s++;
    }
    for (int i = 0; i < before; i++) {
        s++;
    }
    int k = n;
    int *q = &k;
    __asm__ volatile("addl $3, %0" : "+m"(*q));
    for (int i = 0; i < k; i++) {
        s++;
    }
    int m = n;
    __asm__ volatile("movl $7, (%0)" : : "r"(&m) : "memory");
    for (int i = 0; i < m; i++) {
        s++;
    }
    printf("%ld\n", s);
    return 0;
}
