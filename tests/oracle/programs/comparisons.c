/* Every comparison. L1: <=. L2: >. L3: >=. L4: != upwards. L5: != downwards. L6: the other way round. */
#include <stdio.h>
#include <stdlib.h>

int main(int argc, char **argv)
{
    int n = argc > 1 ? atoi(argv[1]) : 6;
    int m = argc > 2 ? atoi(argv[2]) : 2;
    long s = 0;
    int top = n > 0 ? n : 0;
    for (int i = m; i <= n; i++) { /* L1 */
        s += i;
    }
    for (int i = n; i > m; i -= 2) { /* L2 */
        s += i;
    }
    for (int i = n; i >= m; i -= 2) { /* L3 */
        s += i;
    }
    for (int i = 0; i != top; i++) { /* L4 */
        s += i;
    }
    for (int i = top; i != 0; i--) { /* L5 */
        s += i;
    }
    for (int i = m; n > i; i++) { /* L6 */
        s += i;
    }
    printf("%ld\n", s);
    return 0;
}
