/* Triangles. L2: n (n - 1) / 2 upwards. L4: n (n + 1) / 2 downwards. L6: i <= j, from the bottom. */
#include <stdio.h>
#include <stdlib.h>

int main(int argc, char **argv)
{
    int n = argc > 1 ? atoi(argv[1]) : 9;
    long s = 0;
    for (int i = 0; i < n; i++) { /* L1 */
        for (int j = 0; j < i; j++) { /* L2 */
            s += j;
        }
    }
    for (int i = n; i > 0; i--) { /* L3 */
        for (int j = i; j > 0; j--) { /* L4 */
            s += j;
        }
    }
    for (int i = n - 1; i >= 0; i--) { /* L5 */
        for (int j = i; j < n; j++) { /* L6 */
            s += j;
        }
    }
    printf("%ld\n", s);
    return 0;
}
