/* args: 3 5 | 8 2 | 12 1 | 0 9 | -3 4 : variables of the library that its functions set */
#include <getopt.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>
#include <time.h>
int main(int argc, char **argv) {
    int n = atoi(argv[1]), m = atoi(argv[2]);
    int s = 0;
    optind = n > 3 ? 1 : 2;
    optopt = n;
    opterr = 0;
    int c = getopt(argc, argv, "ab");
    for (int i = 0; i < optind; i++) {
        s++;
    }
    for (int i = 0; i < optopt; i++) {
        s++;
    }
    signgam = m;
    volatile double d = -0.5;
    d = lgamma(d);
    for (int i = 0; i < signgam + 2; i++) {
        s++;
    }
    printf("%d %d\n", s, c);
    return 0;
}
