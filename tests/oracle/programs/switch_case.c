/* A switch over a parameter. mode 0: L1, n. 1: L2, n, and L3, n^2. 2: L4, ceil(n / 2). Else none. */
#include <stdio.h>
#include <stdlib.h>

int main(int argc, char **argv)
{
    int n = argc > 1 ? atoi(argv[1]) : 6;
    int mode = argc > 2 ? atoi(argv[2]) : 1;
    long s = 0;
    switch (mode) {
    case 0:
        for (int i = 0; i < n; i++) { /* L1 */
            s += i;
        }
        break;
    case 1:
        for (int i = 0; i < n; i++) { /* L2 */
            for (int j = 0; j < n; j++) { /* L3 */
                s += j;
            }
        }
        break;
    case 2:
        for (int i = 0; i < n; i += 2) { /* L4 */
            s += i;
        }
        break;
    default:
        break;
    }
    printf("%ld\n", s);
    return 0;
}
