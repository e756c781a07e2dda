/* args: 3 5 | 8 2 | 12 1 : threads with variables of their own, that start others, or that end in another way
 * flags: -pthread */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
static _Thread_local int seen;
static volatile double sink;
static void *remembers(void *arg) {
    for (int i = seen; i < *(int *)arg; i++) sink += i;
    seen = 2;
    return NULL;
}
static void *ends_early(void *arg) {
    int n = *(int *)arg;
    for (int i = 0; i < n; i++) {
        if (i == 2) pthread_exit(NULL);
        sink += i;
    }
    return NULL;
}
static void *starts(void *arg) {
    pthread_t inner;
    pthread_create(&inner, NULL, remembers, arg);
    pthread_join(inner, NULL);
    return NULL;
}
static void *(*chosen)(void *) = remembers;
int main(int argc, char **argv) {
    int n = atoi(argv[1]), t = atoi(argv[2]);
    pthread_t id[64];
    for (int k = 0; k < t; k++) {
        pthread_create(&id[k], NULL, k % 2 ? remembers : chosen, &n);
        pthread_join(id[k], NULL);
    }
    pthread_create(&id[0], NULL, ends_early, &n);
    pthread_join(id[0], NULL);
    pthread_create(&id[0], NULL, starts, &n);
    pthread_join(id[0], NULL);
    for (int i = 0; i < n; i++) sink += i;
    printf("%f\n", sink);
}
