// vary: N=-3:20 m=-3:20; exact: 3 of 3
#include <stdio.h>
#include <stdlib.h>

static int N, M = 5;
static volatile long s;

static void work(void) {
    for (int i = 0; i < N; i++) {
        for (int j = 0; j < M; j++) {
            s++;
        }
    }
}

int main(int argc, char **argv) {
    if (argc < 3) return 2;
    N = atoi(argv[1]);
    int m = atoi(argv[2]);
    work();
    for (int i = 0; i < m; i++) {
        s++;
    }
    return 0;
}
