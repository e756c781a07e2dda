/* args: 5 3 | 0 0 | 2 4 | 9 2 : functions and variables that a program finds by their names
   flags: -D_GNU_SOURCE -rdynamic */
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
static int t, calls;
int level = 2;
void bump(int k) {
    for (int i = 0; i < k; i++) {
        t++;
    }
    calls++;
}
int main(int argc, char **argv) {
    int n = atoi(argv[1]), m = atoi(argv[2]);
    void (*f)(int) = (void (*)(int))dlsym(RTLD_DEFAULT, "bump");
    if (f) f(n);
    int *p = dlsym(dlopen(NULL, RTLD_NOW), "level");
    if (p) *p = m;
    for (int i = 0; i < calls; i++) {
        t++;
    }
    for (int i = 0; i < level; i++) {
        t++;
    }
    printf("%d\n", t);
    return 0;
}
