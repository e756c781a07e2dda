// vary: at=-2:12 len=0:12 back=0:2; exact: 2 of 3
#include <stdio.h>
#include <stdlib.h>

int main(int argc, char **argv) {
    if (argc < 4) return 2;
    int at = atoi(argv[1]), len = atoi(argv[2]), back = atoi(argv[3]);
    volatile long s = 0;
    int x = at;
    // falls to 0 or rises to len, by the sign of the step
    while (x > 0 && x < len) {
        if (back == 1) x--;
        else x++;
        s++;
    }
    int y = at, step = back == 2 ? 2 : -3;
    for (int k = 0; k < 20 && y > 0 && y < len; k++) {
        y += step;
        s++;
    }
    int z = at;
    // two exits that assume opposite signs: refused
    while (z > 0) {
        if (z >= len) break;
        z += step;
        s++;
    }
    printf("%ld\n", s);
    return 0;
}
