/* Numbers beyond the largest int that are read as unsigned, and sums of them that wrap around.
   args: 5 3 2|3 5 7|4000000000 2 9|4294967295 7 4294967295 */
#include <stdio.h>
#include <stdlib.h>

int total;
struct kept {
    unsigned k;
};

int main(int argc, char **argv) {
    if (argc < 4) return 2;
    unsigned n = strtoul(argv[1], 0, 10), m = (unsigned)strtol(argv[2], 0, 10), p;
    if (sscanf(argv[3], "%u", &p) != 1) return 2;
    struct kept *kept = malloc(sizeof *kept);
    kept->k = n + 1000000000u;
    for (unsigned long i = 0; i < kept->k; i += 100000000) {
        total++;
    }
    unsigned sum = n + m;
    for (unsigned long i = 0; i < sum; i += 100000000) {
        total++;
    }
    for (unsigned i = n + 1; i > 0; i /= 2) {
        total++;
    }
    for (unsigned i = p + 3; i > 0; i /= 2) {
        total++;
    }
    for (unsigned long i = 0; i < (p + 5) / 2; i += 100000000) {
        total++;
    }
    printf("%d\n", total);
    free(kept);
    return 0;
}
