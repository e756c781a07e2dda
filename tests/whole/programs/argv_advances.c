/* -n 6 -k 3: n=6 k=3 | -k 4: n=12 k=4 */
#include <stdio.h>
#include <stdlib.h>

int main(int argc, char **argv) {
    int n = 12, k = 2;
    while (argc > 1 && argv[1][0] == '-') {
        switch (argv[1][1]) {
        case 'n':
            n = atoi(argv[2]);
            argv += 2;
            argc -= 2;
            break;
        case 'k':
            k = atoi(argv[2]);
            argv += 2;
            argc -= 2;
            break;
        default:
            fprintf(stderr, "unknown option %s\n", argv[1]);
            return 1;
        }
    }
    long *count = calloc(n, sizeof *count);
    for (int i = 0; i < n; i++) { /* n */
        for (int j = 0; j < k; j++) { /* n*k */
            count[i] += j;
        }
    }
    printf("%ld\n", count[n - 1]);
    return 0;
}
