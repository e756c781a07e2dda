/* Loop variables that start with a sum that wraps around.
   args: 5 3|2147483647 3|2147483640 2147483647|-3 2147483647 : flags: -fwrapv */
#include <stdio.h>
#include <stdlib.h>

int total;

int main(int argc, char **argv) {
    if (argc < 3) return 2;
    int n = atoi(argv[1]), m = atoi(argv[2]);
    for (int i = n + 5; i > 0; i /= 2) {
        total++;
    }
    for (int i = n + m; i > 0; i -= 200000000) {
        total++;
    }
    if (m + n < n) {
        for (int i = 0; i < 3; i++) {
            total++;
        }
    }
    for (int i = n; i < n + 4; i++) {
        total++;
    }
    printf("%d\n", total);
    return 0;
}
