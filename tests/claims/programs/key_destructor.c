/* args: 1 | 20 | 7 */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
static unsigned ended;
static pthread_key_t key;
static void count(void *p) { ended++; }
static void *work(void *p) {
    pthread_setspecific(key, p);
    return 0;
}
int main(int argc, char **argv) {
    int n = atoi(argv[1]), one = 1, s = 0;
    pthread_t t;
    pthread_key_create(&key, count);
    ended = n;
    pthread_create(&t, 0, work, &one);
    pthread_join(t, 0);
    for (unsigned i = 0; i < ended % 40; i++) {
        s++;
    }
    printf("%d\n", s);
}
