/* args: 5 | 100 | 250 | 255 | 256 | 1000 : narrow variables that end in wrapping */
#include <stdlib.h>
#include <stdio.h>
typedef unsigned char byte;
enum color { RED, GREEN, BLUE };
struct packed { unsigned a : 5; signed b : 4; };
int main(int argc, char **argv) {
    int n = argc > 1 ? atoi(argv[1]) : 3;
    long steps = 0;
    for (byte b = 0; b <= 250; b += 10) {
        steps++;
        if (steps > 5000) break;
    }
    for (byte b = (byte)n; b != 0; b--) {
        steps++;
    }
    for (byte b = 1; b != 0; b = (byte)(b * 2)) {
        steps++;
    }
    struct packed p;
    for (p.a = 0; p.a < 20; p.a++) {
        steps++;
    }
    for (p.b = -8; p.b < 7; p.b++) {
        steps++;
    }
    for (p.a = (unsigned)n; p.a > 3; p.a -= 3) {
        steps++;
        if (steps > 100000) break;
    }
    for (enum color k = RED; k <= BLUE; k++) {
        steps++;
    }
    for (short s = (short)(n * 1000); s > 0; s -= 100) {
        steps++;
    }
    printf("%ld\n", steps);
    return 0;
}
