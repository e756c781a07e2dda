// vary: n=0:40; exact: 27 of 27
// Loops whose iterations constants decide: they are run, or repeat what they do after a while.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static volatile long s;
static const int to_zero[] = {3, 5, 7, 9, 0};
static int permutation[] = {2, 0, 3, 1, 4};
static const char *names[] = {"a", "bc", "def", 0};
static const int values[] = {1000, 900, 500, 400, 100, 90, 50, 40, 10, 9, 5, 4, 1};

static int smallest_divisor(int k) {
    int d = 2;
    while (k % d) {
        s++;
        d++;
    }
    return d;
}

int main(int argc, char **argv) {
    int n = atoi(argv[1]);
    for (unsigned m = 1; m; m <<= 1) {
        s++;
    }
    for (int i = 0; to_zero[i]; i++) {
        s++;
    }
    for (const char *p = "hello"; *p; p++) {
        s++;
    }
    for (unsigned char b = 1; b != 0; b++) {
        s++;
    }
    for (double x = 0; x < 1; x += 0.1) {
        s++;
    }
    for (float x = 1; x < 1000; x *= 1.5f) {
        s++;
    }
    unsigned collatz = 27;
    while (collatz != 1) {
        s += n;
        collatz = collatz % 2 ? 3 * collatz + 1 : collatz / 2;
    }
    int a = 1071, b = 462;
    while (b) {
        int t = a % b;
        a = b;
        b = t;
    }
    double x = 2, y = 0;
    while (fabs(x - y) > 1e-9) {
        y = x;
        x = (x + 2 / x) / 2;
    }
    int at = 0;
    do {
        at = permutation[at];
    } while (at);
    for (const char **q = names; *q; q++) {
        for (const char *c = *q; *c; c++) {
            s++;
        }
    }
    int year = 1994;
    for (int i = 0; i < 13; i++) {
        while (year >= values[i]) {
            year -= values[i];
        }
    }
    for (int i = 2; i < 50; i++) {
        for (int j = 2; j * j <= i; j++) {
            s++;
            if (i % j == 0) break;
        }
    }
    char text[32];
    strcpy(text, "looplaw");
    for (int i = 0; i < (int)strlen(text); i++) {
        s++;
    }
    snprintf(text, sizeof text, "%s-%04d", "abc", 17);
    for (char *p = text; *p; p++) {
        s++;
    }
    int queue[16], head = 0, tail = 0;
    queue[tail++] = 5;
    while (head < tail) {
        int first = queue[head++];
        if (first > 1) queue[tail++] = first - 2;
    }
    s += smallest_divisor(91);
    _Bool is_odd = 0;
    for (int i = 0; i < n; i++) {
        is_odd = !is_odd;
        if (is_odd) {
            for (int j = 0; j < 3; j++) {
                s++;
            }
        }
    }
    int state = 0;
    for (int i = 0; i < n; i++) {
        switch (state) {
        case 0:
            state = 1;
            break;
        case 1:
            for (int j = 0; j < 4; j++) {
                s++;
            }
            state = 2;
            break;
        default:
            state = 0;
        }
    }
    int turn = 0;
    for (int i = 0; i < n; i++) {
        turn = (turn + 3) % 7;
        if (turn == 0) {
            for (int j = 0; j < n; j++) {
                s++;
            }
        }
    }
    unsigned lfsr = 1;
    do {
        lfsr = lfsr >> 1 ^ (-(lfsr & 1u) & 0xb8u);
    } while (lfsr != 1);
    return 0;
}
