/* args: 4 | 4 -v | -v -l 4 : functions in structures that the library is handed
   flags: -D_GNU_SOURCE */
#include <argp.h>
#include <glob.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>
static int verbose, level = 1, n, t;
struct args { int words, long_one; };
static error_t parse_opt(int key, char *arg, struct argp_state *state) {
    struct args *a = state->input;
    switch (key) {
    case 'v':
        verbose = 3;
        break;
    case 'l':
        level = 5;
        a->long_one = 2;
        break;
    case ARGP_KEY_ARG:
        n = atoi(arg);
        a->words++;
        break;
    default:
        return ARGP_ERR_UNKNOWN;
    }
    return 0;
}
static struct argp_option options[] = {{"verbose", 'v', 0, 0, 0, 0}, {"level", 'l', 0, 0, 0, 0}, {0}};
static struct argp argp = {options, parse_opt, 0, 0, 0, 0, 0};
int main(int argc, char **argv) {
    struct args a = {0, 1};
    argp_parse(&argp, argc, argv, 0, 0, &a);
    for (int i = 0; i < verbose; i++) {
        t++;
    }
    for (int i = 0; i < level; i++) {
        t++;
    }
    for (int i = 0; i < n; i++) {
        t++;
    }
    for (int i = 0; i < a.words + a.long_one; i++) {
        t++;
    }
    struct argp local = {options, parse_opt, 0, 0, 0, 0, 0};
    level = 1;
    a.long_one = 1;
    argp_parse(&local, argc, argv, 0, 0, &a);
    for (int i = 0; i < level; i++) {
        t++;
    }
    for (int i = 0; i < a.long_one; i++) {
        t++;
    }
    printf("%d\n", t);
    return 0;
}
