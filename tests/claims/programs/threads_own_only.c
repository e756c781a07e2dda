/* args: 3 5 | 8 2 | 12 1 : a thread begins with the first values of its own variables
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
int main(int argc, char **argv) {
    int n = atoi(argv[1]), t = atoi(argv[2]);
    pthread_t id[64];
    for (int k = 0; k < t; k++) {
        pthread_create(&id[k], NULL, remembers, &n);
        pthread_join(id[k], NULL);
    }
    printf("%f\n", sink);
}
