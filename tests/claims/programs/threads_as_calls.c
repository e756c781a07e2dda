/* args: 3 5 | 8 2 | 12 1 | 0 4 | 40 7 : threads that are handed their part, and wait for nothing but a lock at their end
 * flags: -pthread */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
struct part { int from, to, step; double sum, *a; };
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int size, threads, finished;
static double *shared, total;
static void add(double x) {
    pthread_mutex_lock(&lock);
    total += x;
    finished++;
    pthread_mutex_unlock(&lock);
}
static void *own_part(void *arg) {
    struct part *p = arg;
    for (int i = p->from; i < p->to; i += p->step) p->sum += p->a[i];
    add(p->sum);
    return NULL;
}
static void *by_number(void *arg) {
    long k = (long)arg;
    for (int i = (int)k * size / threads; i < ((int)k + 1) * size / threads; i++) shared[i] *= 2;
    return NULL;
}
static void *once(void *arg) {
    for (int i = 0; i < *(int *)arg; i++) shared[i] += 1;
    return NULL;
}
int main(int argc, char **argv) {
    int n = atoi(argv[1]), t = atoi(argv[2]);
    pthread_t *id = malloc(t * sizeof *id), one, two;
    struct part *parts = malloc(t * sizeof *parts);
    shared = calloc(n + 1, sizeof *shared);
    size = n;
    threads = t;
    for (int k = 0; k < t; k++) {
        parts[k].from = k;
        parts[k].to = n;
        parts[k].step = t;
        parts[k].sum = 0;
        parts[k].a = shared;
        pthread_create(&id[k], NULL, own_part, &parts[k]);
    }
    for (int k = 0; k < t; k++) pthread_join(id[k], NULL);
    for (int i = 0; i < finished; i++) total += 1;
    for (long k = 0; k < t; k++) pthread_create(&id[k], NULL, by_number, (void *)k);
    for (int k = 0; k < t; k++) pthread_join(id[k], NULL);
    int m = n / 2;
    pthread_create(&one, NULL, once, &m);
    pthread_join(one, NULL);
    m = n / 3;
    if (n > 4) {
        pthread_create(&two, NULL, once, &m);
        pthread_join(two, NULL);
    }
    printf("%f %f\n", shared[0], total);
}
