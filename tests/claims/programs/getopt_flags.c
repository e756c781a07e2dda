/* args: 4 | 4 -v | 4 --verbose --level : flags that getopt_long sets */
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
static int verbose, level = 1;
int main(int argc, char **argv) {
    static struct option opts[] = {{"verbose", no_argument, &verbose, 3}, {"level", no_argument, &level, 5}, {0, 0, 0, 0}};
    int c, s = 0, quick = 2;
    struct option local[] = {{"quick", no_argument, &quick, 7}, {"verbose", no_argument, &quick, 3}, {"level", no_argument, &quick, 5}, {0, 0, 0, 0}};
    while ((c = getopt_long(argc, argv, "v", opts, 0)) != -1) {
        s++;
    }
    for (int i = 0; i < verbose; i++) {
        s++;
    }
    for (int i = 0; i < level; i++) {
        s++;
    }
    optind = 1;
    while ((c = getopt_long(argc, argv, "v", local, 0)) != -1) {
        s++;
    }
    for (int i = 0; i < quick; i++) {
        s++;
    }
    printf("%d\n", s);
    return 0;
}
