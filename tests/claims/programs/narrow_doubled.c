/* args: 11 257 | 0 3 | -5 4 | 4 3 : doubled in eight bits, a variable becomes zero, inside of a loop */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

int main(int argc, char **argv) {
    int n = atoi(argv[1]), m = atoi(argv[2]);
    long s = 0;
    for (long w = n; w < m; w++) {
        int k = 0;
        for (int8_t v = ~3; v != w; v *= 2) {
            for (int u = 0; u < 5 && 0 <= v; u++) {
                s++;
            }
            if (++k > 14) break;
        }
    }
    printf("%ld\n", s);
}
