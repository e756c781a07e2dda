/* args: 5 3 | 0 0 | 2 4 | 9 2 : what library functions return, overwritten by calls in other functions */
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
static time_t first = 0, second = 86400 * 6;
static struct tm *kept;
static int s;
static void again(void) {
    gmtime(&second);
}
static void keep(void) {
    kept = gmtime(&first);
}
int main(int argc, char **argv) {
    int n = atoi(argv[1]), m = atoi(argv[2]);
    struct tm *a = gmtime(&first);
    a->tm_mday = n;
    again();
    for (int i = 0; i < a->tm_mday; i++) {
        s++;
    }
    keep();
    kept->tm_mday = m;
    again();
    for (int i = 0; i < kept->tm_mday; i++) {
        s++;
    }
    unsigned short start[3] = {1, 2, 3};
    unsigned short *before = seed48(start);
    before[0] = (unsigned short)n;
    seed48(start);
    for (int i = 0; i < before[0]; i++) {
        s++;
    }
    printf("%d\n", s);
    return 0;
}
