/* args: 3 | 8 | 12 | 0 : addresses that come back from a text, and formats that are chosen : flags: -D_GNU_SOURCE */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
static int s;
int main(int argc, char **argv) {
    int n = atoi(argv[1]);
    char text[64];
    int a = 0, b = 0, c = 0, *p = 0;
    snprintf(text, sizeof text, "%p", (void *)&a);
    sscanf(text, "%p", (void **)&p);
    a = n;
    *p = 5;
    for (int i = 0; i < a; i++) {
        s++;
    }
    sprintf(text, n > 100 ? "%d" : "at %p", (void *)&b);
    b = n;
    p = (int *)strtoul(text + 3, 0, 16);
    if (p) *p = 6;
    for (int i = 0; i < b; i++) {
        s++;
    }
    char *made;
    if (asprintf(&made, "%p", (void *)&c) < 0) return 1;
    setenv("PLACE", made, 1);
    sscanf(getenv("PLACE"), "%p", (void **)&p);
    c = n;
    *p = 7;
    for (int i = 0; i < c; i++) {
        s++;
    }
    printf("%d\n", s);
    return 0;
}
