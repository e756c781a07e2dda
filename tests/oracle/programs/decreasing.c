/* Downwards. L1: n. L2: ceil(n / 4). L3: n - m. L4: n, a countdown stepped in its test. */
#include <stdio.h>
#include <stdlib.h>

int main(int argc, char **argv)
{
    int n = argc > 1 ? atoi(argv[1]) : 9;
    int m = argc > 2 ? atoi(argv[2]) : 2;
    long s = 0;
    int left = n > 0 ? n : 0;
    for (int i = n - 1; i >= 0; i--) { /* L1 */
        s += i;
    }
    for (int i = n; i > 0; i -= 4) { /* L2 */
        s += i;
    }
    for (int i = n; i > m; i--) { /* L3 */
        s += i;
    }
    while (left-- > 0) { /* L4 */
        s += left;
    }
    printf("%ld\n", s);
    return 0;
}
