/* -v 6 4: n=6 m=4 | 5 3: n=5 m=3 */
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

static int verbose;

static void usage(const char *prog) {
    fprintf(stderr, "Usage: %s [-v] n m\n", prog);
    exit(EXIT_FAILURE);
}

int main(int argc, char *argv[]) {
    int opt;
    while ((opt = getopt(argc, argv, "v")) != -1) {
        switch (opt) {
        case 'v':
            verbose++;
            break;
        default:
            usage(argv[0]);
        }
    }
    if (argc - optind != 2)
        usage(argv[0]);
    int n = atoi(argv[optind]);
    int m = atoi(argv[optind + 1]);
    int *hits = calloc(m, sizeof(int));
    if (hits == NULL)
        usage(argv[0]);
    for (int i = 0; i < n; i++) { /* n */
        for (int j = 0; j < m; j++) { /* n*m */
            hits[j] += i ^ j;
        }
    }
    if (verbose)
        for (int j = 0; j < m; j++) { /* m*f */
            printf("%d\n", hits[j]);
        }
    printf("%d\n", hits[0]);
    return 0;
}
