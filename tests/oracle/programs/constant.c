/* Constant bounds. L1: 10. L2: n. L3: 7 n. */
#include <stdio.h>
#include <stdlib.h>

int main(int argc, char **argv)
{
    int n = argc > 1 ? atoi(argv[1]) : 9;
    long s = 0;
    for (int i = 0; i < 10; i++) { /* L1 */
        s += i;
    }
    for (int i = 0; i < n; i++) { /* L2 */
        for (int j = 3; j < 10; j++) { /* L3 */
            s += j;
        }
    }
    printf("%ld\n", s);
    return 0;
}
