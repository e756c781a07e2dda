// vary: n=-3:60 m=-3:12; exact: 9 of 29; bounded: 6
#include <stdio.h>
#include <stdlib.h>

static volatile long s = 0;

static int some(int k) {
    return rand() % k;
}

static int early(int *a, int n, int key) {
    int i = 0;
    while (i < n) {
        int end = i + 1 + some(4);
        while (i < end && i < n) {
            if (a[i] == key) return i;
            i++;
        }
    }
    return -1;
}

static void back(int n) {
    int i = 0;
    while (i < n) {
        int first = i, end = i + 1 + some(4);
        while (i < end && i < n) {
            s++;
            i++;
        }
        if (some(3) == 0) i = first;
    }
}

int main(int argc, char **argv) {
    if (argc < 3) return 2;
    int n = atoi(argv[1]);
    int m = atoi(argv[2]);
    int *a = calloc(n > 0 ? n : 1, sizeof(int));
    int i = 0;
    while (i < n) {
        int end = i + 1 + some(5);
        while (i < end && i < n) {
            a[i] = some(3);
            i++;
        }
    }
    for (i = 0; i < n;) {
        int j = i;
        while (j < n && a[j] == a[i]) {
            j++;
        }
        i = j;
    }
    for (i = 0; i < n;) {
        int j = i + 1;
        while (j < n && a[j] == a[i]) {
            j++;
        }
        i = j;
    }
    int j = 0;
    for (i = 0; i < m; i++) {
        while (j < n && a[j] < i % 3) {
            j++;
        }
    }
    for (int k = 0; k < m; k++) {
        i = k;
        while (i < n) {
            int end = i + 1 + some(4);
            while (i < end && i < n) {
                s += a[i];
                i++;
            }
        }
    }
    unsigned u = 0, limit = n > 0 ? n : 0;
    while (u < limit) {
        unsigned end = u + 1 + some(7);
        while (u < end && u < limit) {
            s += a[u];
            u++;
        }
    }
    i = 0;
    while (i < n) {
        int end = i + 1 + some(9);
        while (i < end && i < n) {
            s += i;
            i += 2;
        }
    }
    i = 0;
    while (i < n) {
        do {
            s += a[i];
            i++;
        } while (i < n && a[i] != 0);
    }
    i = 0;
    while (i < n && s != -5) {
        int end = i + 1 + some(9);
        while (i < end && i < n) {
            s += a[i];
            i++;
        }
    }
    i = 0;
    while (i < n) {
        int end = i + 1 + some(9);
        while (i < end) {
            s += i;
            i++;
        }
    }
    int c = 0;
    for (i = 0; i < m; i++) {
        for (int k = some(9); k >= 0; k--) {
            if (++c > n) break;
        }
    }
    c = 0;
    while (c < n) {
        for (int k = some(9); k >= 0; k--) {
            if (++c > n) break;
        }
    }
    printf("%ld %d\n", (long)s, early(a, n, 2));
    back(n);
    return 0;
}
