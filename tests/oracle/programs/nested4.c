/* Four deep, each inner bound an outer index. L4: n (n - 1) (n - 2) (n - 3) / 24. */
#include <stdio.h>
#include <stdlib.h>

int main(int argc, char **argv)
{
    int n = argc > 1 ? atoi(argv[1]) : 9;
    long s = 0;
    for (int i = 0; i < n; i++) { /* L1 */
        for (int j = 0; j < i; j++) { /* L2 */
            for (int k = 0; k < j; k++) { /* L3 */
                for (int l = 0; l < k; l++) { /* L4 */
                    s += l;
                }
            }
        }
    }
    printf("%ld\n", s);
    return 0;
}
