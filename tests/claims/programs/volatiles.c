/* args: 4 | 8 : volatile and atomic bounds */
#include <stdatomic.h>
#include <pthread.h>
#include <stdlib.h>
#include <stdio.h>
static volatile int vol = 4;
static atomic_int shared = 5;
static void *writer(void *p) {
    (void)p;
    atomic_store(&shared, 12);
    vol = 6;
    return NULL;
}
int main(int argc, char **argv) {
    int n = argc > 1 ? atoi(argv[1]) : 3;
    long sum = 0;
    pthread_t t;
    pthread_create(&t, NULL, writer, NULL);
    pthread_join(t, NULL);
    for (int i = 0; i < vol; i++) {
        sum++;
    }
    for (int i = 0; i < shared; i++) {
        sum++;
    }
    for (int i = 0; i < n; i++) {
        sum++;
    }
    printf("%ld\n", sum);
    return 0;
}
