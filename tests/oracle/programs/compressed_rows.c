/* Rows of a sparse matrix, i % 4 entries in row i. L1, L2: n. L3: start[n], which data decide. */
#include <stdio.h>
#include <stdlib.h>

int main(int argc, char **argv)
{
    int n = argc > 1 ? atoi(argv[1]) : 9;
    long s = 0;
    int *start = calloc(n > 0 ? n + 1L : 1, sizeof *start);
    if (start == NULL)
        return 1;
    for (int i = 0; i < n; i++) { /* L1 */
        start[i + 1] = start[i] + i % 4;
    }
    for (int i = 0; i < n; i++) { /* L2 */
        for (int k = start[i]; k < start[i + 1]; k++) { /* L3 */
            s += k;
        }
    }
    free(start);
    printf("%ld\n", s);
    return 0;
}
