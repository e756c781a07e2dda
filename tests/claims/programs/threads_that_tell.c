/* args: 3 5 | 8 2 | 12 1 | 6 4 : threads that find what was written after they were started
 * flags: -pthread */
#include <pthread.h>
#include <semaphore.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t more = PTHREAD_COND_INITIALIZER;
static pthread_barrier_t all;
static sem_t posted;
static int rounds = 1, ready, by_semaphore = 2, sizes[64], queued, taken, closed;
static atomic_int next, limit;
static volatile double sink;
static void *waits(void *arg) {
    pthread_mutex_lock(&lock);
    while (!ready) pthread_cond_wait(&more, &lock);
    pthread_mutex_unlock(&lock);
    for (int i = 0; i < rounds; i++) sink += i;
    return NULL;
}
static void *behind_a_semaphore(void *arg) {
    sem_wait(&posted);
    for (int i = 0; i < by_semaphore; i++) sink += i;
    return NULL;
}
static void *looks_at_others(void *arg) {
    int t = *(int *)arg;
    pthread_barrier_wait(&all);
    for (int k = 0; k < t; k++)
        for (int i = 0; i < sizes[k]; i++) sink += i;
    return NULL;
}
static void *takes(void *arg) {
    for (;;) {
        pthread_mutex_lock(&lock);
        while (taken == queued && !closed) pthread_cond_wait(&more, &lock);
        if (taken == queued) break;
        int job = taken++;
        pthread_mutex_unlock(&lock);
        for (int i = 0; i < job; i++) sink += i;
    }
    pthread_mutex_unlock(&lock);
    return NULL;
}
static void *counts_up(void *arg) {
    for (int i; (i = atomic_fetch_add(&next, 1)) < atomic_load(&limit);) sink += i;
    return NULL;
}
int main(int argc, char **argv) {
    int n = atoi(argv[1]), t = atoi(argv[2]);
    pthread_t id[64];
    sem_init(&posted, 0, 0);
    pthread_create(&id[0], NULL, waits, NULL);
    pthread_mutex_lock(&lock);
    rounds = n;
    ready = 1;
    pthread_cond_broadcast(&more);
    pthread_mutex_unlock(&lock);
    pthread_join(id[0], NULL);
    pthread_create(&id[0], NULL, behind_a_semaphore, NULL);
    by_semaphore = n + 1;
    sem_post(&posted);
    pthread_join(id[0], NULL);
    pthread_barrier_init(&all, NULL, t);
    for (int k = 0; k < t; k++) {
        sizes[k] = n + k;
        pthread_create(&id[k], NULL, looks_at_others, &t);
    }
    for (int k = 0; k < t; k++) pthread_join(id[k], NULL);
    for (int k = 0; k < t; k++) pthread_create(&id[k], NULL, takes, NULL);
    for (int i = 0; i < n; i++) {
        pthread_mutex_lock(&lock);
        queued++;
        pthread_cond_signal(&more);
        pthread_mutex_unlock(&lock);
    }
    pthread_mutex_lock(&lock);
    closed = 1;
    pthread_cond_broadcast(&more);
    pthread_mutex_unlock(&lock);
    for (int k = 0; k < t; k++) pthread_join(id[k], NULL);
    limit = n;
    for (int k = 0; k < t; k++) pthread_create(&id[k], NULL, counts_up, NULL);
    for (int k = 0; k < t; k++) pthread_join(id[k], NULL);
    printf("%f\n", sink);
}
