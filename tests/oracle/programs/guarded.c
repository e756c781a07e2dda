/* Conditions around loops. L1: n if n > m. L2: m otherwise. L4: n for each i < min(n, m). */
#include <stdio.h>
#include <stdlib.h>

int main(int argc, char **argv)
{
    int n = argc > 1 ? atoi(argv[1]) : 9;
    int m = argc > 2 ? atoi(argv[2]) : 4;
    long s = 0;
    if (n > m) {
        for (int i = 0; i < n; i++) { /* L1 */
            s += i;
        }
    } else {
        for (int i = 0; i < m; i++) { /* L2 */
            s -= i;
        }
    }
    for (int i = 0; i < n; i++) { /* L3 */
        if (i < m) {
            for (int j = 0; j < n; j++) { /* L4 */
                s += j;
            }
        }
    }
    printf("%ld\n", s);
    return 0;
}
