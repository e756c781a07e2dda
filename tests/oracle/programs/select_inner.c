/* The index decides which inner loop runs. L2: i times for i < m. L3: n - i times for the others. */
#include <stdio.h>
#include <stdlib.h>

int main(int argc, char **argv)
{
    int n = argc > 1 ? atoi(argv[1]) : 9;
    int m = argc > 2 ? atoi(argv[2]) : 4;
    long s = 0;
    for (int i = 0; i < n; i++) { /* L1 */
        if (i < m) {
            for (int j = 0; j < i; j++) { /* L2 */
                s += j;
            }
        } else {
            for (int j = i; j < n; j++) { /* L3 */
                s -= j;
            }
        }
    }
    printf("%ld\n", s);
    return 0;
}
