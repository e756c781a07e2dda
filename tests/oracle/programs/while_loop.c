/* While loops. L1: n. L2: two indices that approach each other. L3: until a sum of 1, 2, 3, ... reaches n. */
#include <stdio.h>
#include <stdlib.h>

int main(int argc, char **argv)
{
    int n = argc > 1 ? atoi(argv[1]) : 6;
    long s = 0;
    int i = 0;
    while (i < n) { /* L1 */
        s += i;
        i++;
    }
    int low = 0;
    int high = n;
    while (low < high) { /* L2 */
        s += high - low;
        low += 2;
        high--;
    }
    int area = 0;
    int side = 0;
    while (area < n) { /* L3 */
        side++;
        area += side;
    }
    s += side;
    printf("%ld\n", s);
    return 0;
}
