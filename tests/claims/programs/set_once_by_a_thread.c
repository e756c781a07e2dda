/* args: 5 3 | 0 0 | 2 4 | 9 2 : variables of threads that main sets */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
static __thread int tl = 2;
static _Thread_local int tm;
static int t;
static void *work(void *p) {
    for (int i = 0; i < tl; i++) {
        __atomic_fetch_add(&t, 1, 0);
    }
    for (int i = 0; i < tm + 1; i++) {
        __atomic_fetch_add(&t, 1, 0);
    }
    return 0;
}
int main(int argc, char **argv) {
    int n = atoi(argv[1]), m = atoi(argv[2]);
    tl = n;
    tm = m;
    pthread_t a;
    pthread_create(&a, 0, work, 0);
    pthread_join(a, 0);
    for (int i = 0; i < tl + tm; i++) {
        t++;
    }
    printf("%d\n", t);
    return 0;
}
