/* args: | 4 | 8 2 3 | a b c d : the number of arguments is not known */
#include <stdlib.h>
#include <stdio.h>
static void usage(void) {
    for (int i = 0; i < 3; i++) {
        puts("usage");
    }
    exit(1);
}
int main(int argc, char **argv) {
    long sum = 0;
    for (int i = 1; i < argc; i++) {
        sum += argv[i][0];
    }
    if (argc < 2) usage();
    if (argc > 3) {
        for (int i = 0; i < 4; i++) {
            sum++;
        }
    }
    printf("%ld\n", sum);
    return 0;
}
