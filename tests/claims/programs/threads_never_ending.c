/* args: 3 5 | 8 2 : a thread that nobody waits for beside one that is waited for
 * flags: -pthread */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>
static void *forever(void *arg) {
    while (1) pause();
    return NULL;
}
static void *work(void *arg) {
    double s = 0;
    for (int i = 0; i < *(int *)arg; i++) s += i;
    printf("%f\n", s);
    return NULL;
}
int main(int argc, char **argv) {
    int n = atoi(argv[1]), m = atoi(argv[2]);
    pthread_t a, b;
    pthread_create(&a, NULL, forever, NULL);
    pthread_create(&b, NULL, work, &n);
    pthread_join(b, NULL);
    double s = 0;
    for (int i = 0; i < m; i++) s += i;
    printf("%f\n", s);
}
