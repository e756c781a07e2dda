/* args: 5 3 | 0 0 | 2 4 | 9 2 : globals that callbacks of the library read before main sets them */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
static int limit = 2, other = 3, third = 1, fourth = 2;
static int t;
static int cmp(const void *a, const void *b) {
    for (int i = 0; i < limit; i++) {
        t++;
    }
    return *(const int *)a - *(const int *)b;
}
static void once(void) {
    for (int i = 0; i < other; i++) {
        t++;
    }
}
__attribute__((constructor)) static void early(void) {
    for (int i = 0; i < third; i++) {
        t++;
    }
}
static void late(void) {
    for (int i = 0; i < fourth; i++) {
        t++;
    }
}
int main(int argc, char **argv) {
    int n = atoi(argv[1]), m = atoi(argv[2]);
    int v[2] = {n, m};
    qsort(v, 2, sizeof *v, cmp);
    limit = n;
    pthread_once_t o = PTHREAD_ONCE_INIT;
    pthread_once(&o, once);
    other = n + 1;
    third = n;
    atexit(late);
    fourth = m;
    for (int i = 0; i < limit + other + third; i++) {
        t++;
    }
    printf("%d\n", t);
    return 0;
}
