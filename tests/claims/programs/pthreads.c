/* args: 4 | 8 | 1 : pthread_create and atexit */
#include <pthread.h>
#include <stdlib.h>
#include <stdio.h>
static int size;
static long counted;
static void *work(void *p) {
    long s = 0;
    for (int i = 0; i < size; i++) {
        s++;
    }
    *(long *)p = s;
    return NULL;
}
static void goodbye(void) {
    for (int i = 0; i < 11; i++) {
        counted++;
    }
}
__attribute__((constructor)) static void early(void) {
    for (int i = 0; i < 6; i++) {
        counted++;
    }
}
__attribute__((destructor)) static void late(void) {
    for (int i = 0; i < 8; i++) {
        counted++;
    }
}
int main(int argc, char **argv) {
    size = argc > 1 ? atoi(argv[1]) : 3;
    atexit(goodbye);
    long r[2];
    pthread_t t[2];
    for (int k = 0; k < 2; k++) {
        pthread_create(&t[k], NULL, work, &r[k]);
    }
    for (int k = 0; k < 2; k++) {
        pthread_join(t[k], NULL);
    }
    printf("%ld\n", r[0] + r[1]);
    return 0;
}
