/* args: 4 | 9 | 20 : parts of what handlers write, read through conversions */
#define _GNU_SOURCE
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>
struct pair { int low; int high; };
static long wide;
static unsigned long bits;
static struct pair both;
static short small;
static void handler(int number) {
    (void)number;
    wide = 9;
    bits = 7;
    both.high = 6;
    small = 5;
}
static long send(long a) {
    kill(getpid(), SIGUSR1);
    return a;
}
static struct pair copied(const struct pair *p) { return *p; }
int main(int argc, char **argv) {
    int n = argc > 1 ? atoi(argv[1]) : 3;
    long s = 0;
    wide = n;
    bits = (unsigned long)n;
    both.low = n;
    both.high = n;
    small = (short)n;
    struct sigaction action = {0};
    action.sa_handler = handler;
    sigaction(SIGUSR1, &action, 0);
    s += send(n);
    for (int i = wide; i > 0; i--) {
        s++;
    }
    for (int i = 0; i < (int)bits; i++) {
        s++;
    }
    for (int i = 0; i < (short)wide; i++) {
        s++;
    }
    struct pair here = copied(&both);
    for (int i = 0; i < here.high; i++) {
        s++;
    }
    for (int i = 0; i < here.low; i++) {
        s++;
    }
    for (int i = 0; i < (signed char)small; i++) {
        s++;
    }
    printf("%ld\n", s);
    return 0;
}
