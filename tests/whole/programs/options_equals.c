/* --n=6 --reps=3: n=6 reps=3 | --reps=2: n=10 reps=2 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int main(int argc, char **argv) {
    long n = 10, reps = 1;
    for (int a = 1; a < argc; ++a) {
        if (strncmp(argv[a], "--n=", 4) == 0) {
            n = strtol(argv[a] + 4, NULL, 10);
        } else if (strncmp(argv[a], "--reps=", 7) == 0) {
            reps = atol(argv[a] + 7);
        } else {
            fprintf(stderr, "unknown argument: %s\n", argv[a]);
            return 2;
        }
    }
    unsigned *h = calloc(256, sizeof *h);
    for (long r = 0; r < reps; r++) { /* reps */
        for (long i = 0; i < n; i++) { /* n*reps */
            h[(i * 31) & 255]++;
        }
    }
    unsigned top = 0;
    for (int b = 0; b < 256; b++) { /* 256 */
        if (h[b] > top)
            top = h[b];
    }
    printf("%u\n", top);
    free(h);
    return 0;
}
