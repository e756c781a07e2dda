/* args: 5 3 | 0 0 | 2 4 | 9 2 | 77 1 | 20 7 : loops that only run before the program ends */
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>
static long total;
static void work(int n) {
    for (int i = 0; i < n; i++) {
        total++;
    }
}
static void farewell(int n) {
    for (int i = 0; i < n; i++) {
        total++;
    }
}
static void report(int n) { farewell(n + 1); }
static int data[100];
static int stop(int n) {
    if (data[n] == 6) {
        work(n);
        _exit(n & 127);
    }
    return n;
}
static void die(int n) { report(n); exit(1); }
static int check(int n) { if (data[n] == 9) die(n); return n; }
static int both(int n) {
    if (data[n] == 12) {
        farewell(3);
        abort();
    }
    farewell(2);
    return 1;
}
int main(int argc, char **argv) {
    int n = atoi(argv[1]), m = atoi(argv[2]);
    for (int i = 0; i < 100; i++) {
        data[i] = i * 3;
    }
    stop(m);
    check(m);
    both(m);
    for (int k = 0; k < n; k++) {
        stop(k);
    }
    if (n == 77) {
        for (int i = 0; i < 9; i++) {
            total++;
        }
        abort();
    }
    printf("%ld\n", total);
    return 0;
}
