// vary: n=-3:30 m=-3:30; exact: 4 of 4
#include <stdio.h>
#include <stdlib.h>

int main(int argc, char **argv) {
    if (argc < 3) return 2;
    int n = atoi(argv[1]);
    int m = atoi(argv[2]);
    volatile long s = 0;
    int top = n < m ? n : m;
    for (int i = 0; i < top; i++) {
        s++;
    }
    for (int i = 0; i < n; i++) {
        int high = i + 5 < m ? i + 5 : m;
        for (int j = i; j < high; j++) {
            s++;
        }
        int low = i > 3 ? i - 3 : 0;
        for (int j = low; j < i; j++) {
            s++;
        }
    }
    printf("%ld\n", (long)s);
    return 0;
}
