/* Bounds by min and max. L1: min(n, m). L2: max(n, m). L4: min(i + m, n) - i. L6: from max(0, i - m). */
#include <stdio.h>
#include <stdlib.h>

static int min(int a, int b)
{
    return a < b ? a : b;
}

int main(int argc, char **argv)
{
    int n = argc > 1 ? atoi(argv[1]) : 9;
    int m = argc > 2 ? atoi(argv[2]) : 4;
    long s = 0;
    for (int i = 0; i < min(n, m); i++) { /* L1 */
        s += i;
    }
    for (int i = 0; i < (n > m ? n : m); i++) { /* L2 */
        s += i;
    }
    for (int i = 0; i < n; i++) { /* L3 */
        for (int j = i; j < min(i + m, n); j++) { /* L4 */
            s += j;
        }
    }
    for (int i = 0; i < n; i++) { /* L5 */
        for (int j = i > m ? i - m : 0; j < i; j++) { /* L6 */
            s += j;
        }
    }
    printf("%ld\n", s);
    return 0;
}
