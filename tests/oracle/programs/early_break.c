/* Left early. L1: min(n, m + 1) for m >= 0, else n. L3: 1 + ... + n, clipped at n. L4: by return. */
#include <stdio.h>
#include <stdlib.h>

static int find(int n, int m)
{
    for (int i = 0; i < n; i++) { /* L4 */
        if (2 * i >= m)
            return i;
    }
    return n;
}

int main(int argc, char **argv)
{
    int n = argc > 1 ? atoi(argv[1]) : 9;
    int m = argc > 2 ? atoi(argv[2]) : 4;
    long s = 0;
    for (int i = 0; i < n; i++) { /* L1 */
        if (i == m)
            break;
        s += i;
    }
    for (int i = 0; i < n; i++) { /* L2 */
        for (int j = 0; j < n; j++) { /* L3 */
            if (j >= i)
                break;
            s += j;
        }
    }
    s += find(n, m);
    printf("%ld\n", s);
    return 0;
}
