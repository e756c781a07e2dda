/* args: 10 | 25 | 7 : the argument's text is changed before it is read */
#include <stdlib.h>
#include <stdio.h>
int main(int argc, char **argv) {
    if (argc < 2) return 1;
    argv[1][0] = '3';
    int n = atoi(argv[1]);
    long sum = 0;
    for (int i = 0; i < n; i++) {
        sum++;
    }
    int m = atoi(argv[1] + 1);
    for (int i = 0; i < m; i++) {
        sum++;
    }
    printf("%ld\n", sum);
    return 0;
}
