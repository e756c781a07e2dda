/* args: 5 3 | 0 0 | 2 4 | 9 2 : main by its address, exit handlers that run its code again */
#include <stdio.h>
#include <stdlib.h>
static int t, level = 1, round;
static void again(void);
static void work(int n) {
    for (int i = 0; i < n + level; i++) {
        t++;
    }
}
int main(int argc, char **argv) {
    int n = atoi(argv[1]), m = atoi(argv[2]);
    for (int i = 0; i < level; i++) {
        t++;
    }
    work(n);
    level = 4;
    if (!round++) {
        atexit(again);
        int (*f)(int, char **) = main;
        if (m > 2) f(argc, argv);
    }
    return 0;
}
static void again(void) {
    for (int i = 0; i < level; i++) {
        t++;
    }
    work(1);
}
