/* args: 4 | 8 : bounds from the environment and standard input */
#include <stdlib.h>
#include <stdio.h>
int main(int argc, char **argv) {
    const char *e = getenv("LOOPS");
    int n = e ? atoi(e) : 7, m = 2;
    if (scanf("%d", &m) != 1) m = 5;
    long sum = 0;
    for (int i = 0; i < n; i++) {
        sum++;
    }
    for (int i = 0; i < m; i++) {
        sum++;
    }
    printf("%ld\n", sum);
    return 0;
}
