/* args: 5 1 | 0 0 | 9 2 | 4 7 : switches with fall through, defaults and loops in cases */
#include <stdio.h>
#include <stdlib.h>
enum Mode { PLAIN, DOUBLED, SQUARED };
static long work(enum Mode mode, int n) {
    long s = 0;
    switch (mode) {
    case SQUARED:
        for (int i = 0; i < n * n; i++) {
            s += i;
        }
        break;
    case DOUBLED:
        for (int i = 0; i < n; i++) {
            s += i;
        }
        /* fall through */
    case PLAIN:
        for (int i = 0; i < n; i++) {
            s -= i;
        }
    }
    return s;
}
int main(int argc, char **argv) {
    if (argc != 3) return 2;
    int n = atoi(argv[1]), mode = atoi(argv[2]);
    long s = work(PLAIN, n) + work(DOUBLED, n + 1) + work(SQUARED, 3);
    switch (mode) {
    case 0:
        for (int i = 0; i < n; i++) {
            s++;
        }
        break;
    case 1:
    case 2:
        for (int i = 0; i < 2 * n; i++) {
            s++;
        }
        break;
    default:
        s = -s;
    }
    for (int i = 0; i < n; i++) {
        switch (i % 3) {
        case 0:
            continue;
        case 1:
            s += 2;
            break;
        default:
            s += 3;
        }
    }
    printf("%ld\n", s);
}
