/* args: 3 5 | 8 2 | 12 1 | 0 9 : results in the library's own memory that later calls change */
#include <errno.h>
#include <locale.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>
#include <fcntl.h>
int main(int argc, char **argv) {
    int n = atoi(argv[1]), m = atoi(argv[2]);
    int s = 0;
    time_t a = 0, b = 86400 * 20;
    struct tm *x = gmtime(&a);
    x->tm_mday = n;
    struct tm *y = gmtime(&b);
    for (int i = 0; i < x->tm_mday; i++) {
        s++;
    }
    y->tm_hour = m;
    x->tm_hour = 2;
    for (int i = 0; i < y->tm_hour; i++) {
        s++;
    }
    errno = n;
    FILE *f = fopen("/does/not/exist", "r");
    if (f) {
        return 1;
    }
    for (int i = 0; i < errno; i++) {
        s++;
    }
    errno = n;
    close(-1);
    for (int i = 0; i < errno; i++) {
        s++;
    }
    errno = m;
    int *e = &errno;
    open("/does/not/exist", O_RDONLY);
    for (int i = 0; i < *e; i++) {
        s++;
    }
    errno = 0;
    volatile double d = -1;
    d = sqrt(d);
    for (int i = 0; i < errno; i++) {
        s++;
    }
    signgam = n;
    d = lgamma(-0.5);
    for (int i = 0; i < signgam + 2; i++) {
        s++;
    }
    char *t = asctime(x);
    t[0] = 5;
    asctime(y);
    for (int i = 0; i < t[0]; i++) {
        s++;
    }
    struct tm z = {0};
    z.tm_mday = 40 + n;
    z.tm_year = 100;
    mktime(&z);
    for (int i = 0; i < z.tm_mday; i++) {
        s++;
    }
    errno = n;
    access("/does/not/exist", 0);
    for (int i = 0; i < errno; i++) {
        s++;
    }
    errno = n;
    strtol("99999999999999999999999999", 0, 10);
    for (int i = 0; i < errno; i++) {
        s++;
    }
    errno = n;
    FILE *g = fdopen(-1, "r");
    s += g != 0;
    for (int i = 0; i < errno; i++) {
        s++;
    }
    errno = n;
    lseek(-1, 0, SEEK_SET);
    for (int i = 0; i < errno; i++) {
        s++;
    }
    printf("%d\n", s);
    return 0;
}
