// vary: n=-3:40; exact: 1 of 5; bounded: 2
#include <stdio.h>
#include <stdlib.h>

/* inner loops that go on with the counter around them: n bounds all their entries together */
static int runs(const int *a, int n) {
    int i = 0, r = 0;
    while (i < n) {
        int j = i;
        while (j < n && a[j] == a[i]) {
            j++;
        }
        r++;
        i = j;
    }
    return r;
}

static int some(int i) {
    return rand() % 4 + i;
}

static int limited(int n) {
    int i = 0, s = 0;
    while (i < n) {
        int end = i + 1 + some(i);
        while (i < end && i < n) {
            s++;
            i++;
        }
    }
    return s;
}

int main(int argc, char **argv) {
    int n = atoi(argv[1]);
    int *a = malloc((n > 0 ? n : 1) * sizeof *a);
    for (int i = 0; i < n; i++) {
        a[i] = rand() % 2;
    }
    printf("%d %d\n", runs(a, n), limited(n));
    free(a);
    return 0;
}
