/* Arguments left out have defaults, n = 12 and m = n. L1: n. L2: n m. */
#include <stdio.h>
#include <stdlib.h>

int main(int argc, char **argv)
{
    int n = 12;
    if (argc > 1)
        n = atoi(argv[1]);
    int m = argc > 2 ? atoi(argv[2]) : n;
    long s = 0;
    for (int i = 0; i < n; i++) { /* L1 */
        for (int j = 0; j < m; j++) { /* L2 */
            s += i + j;
        }
    }
    printf("%ld\n", s);
    return 0;
}
