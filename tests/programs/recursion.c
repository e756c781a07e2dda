// vary: n=0:12; exact: 1 of 1
#include <stdio.h>
#include <stdlib.h>

static volatile long s;

static void visit(int n) {
    for (int i = 0; i < n; i++) {
        s++;
    }
    if (n > 0) visit(n - 1);
}

int main(int argc, char **argv) {
    if (argc < 2) return 2;
    visit(atoi(argv[1]));
    return 0;
}
