/* args: 4 | -v 6 | -k 3 9 : getopt moves where the number is */
#include <stdlib.h>
#include <stdio.h>
#include <unistd.h>
int main(int argc, char **argv) {
    int c, k = 1, v = 0;
    long sum = 0;
    while ((c = getopt(argc, argv, "vk:")) != -1) {
        if (c == 'k') k = atoi(optarg);
        else v++;
    }
    argv += optind;
    argc -= optind;
    int n = argc > 0 ? atoi(argv[0]) : 2;
    for (int i = 0; i < n; i++) {
        sum++;
    }
    for (int i = 0; i < k; i++) {
        sum++;
    }
    printf("%ld %d\n", sum, v);
    return 0;
}
