/* args: 4 6 | 1 9 | 12 3 : pointers into argv that advance */
#include <stdlib.h>
#include <stdio.h>
int main(int argc, char **argv) {
    long sum = 0;
    char **all = argv;
    int first = atoi(*++argv);
    for (int i = 0; i < first; i++) {
        sum++;
    }
    argv++;
    int second = atoi(argv[0]);
    for (int i = 0; i < second; i++) {
        sum++;
    }
    argv = all + 1;
    int again = atoi(argv[1]);
    for (int i = 0; i < again; i++) {
        sum++;
    }
    printf("%ld\n", sum);
    return 0;
}
