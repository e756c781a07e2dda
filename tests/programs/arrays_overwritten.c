// vary: n=1:14; exact: 62 of 68
// Arrays that are written more than once before they are read: who writes last?
#include <stdio.h>
#include <stdlib.h>

static volatile long s = 0;

static void fill(int *p, int n) {
    for (int i = 0; i < n; i++) {
        p[i] = i+1;
    }
}

static void add(int *p, int n) {
    for (int i = 0; i < n; i++) {
        p[i] += 2;
    }
}

static void way_ahead(int n) {
    int *a = malloc((n + 2) * sizeof *a);
    for (int i = 0; i < n; i++) {
        a[i] = 1;
        a[i+1] = 5;
    }
    for (int r = 0; r < n; r++) {
        for (int j = 0; j < a[r]; j++) {
            s++;
        }
    }
}

static void way_behind(int n) {
    int *a = malloc((n + 2) * sizeof *a);
    for (int i = 1; i < n; i++) {
        a[i] = 1;
        a[i-1] = 5;
    }
    if (n == 1) {
        a[0] = 2;
    }
    for (int r = 0; r < n; r++) {
        for (int j = 0; j < a[r]; j++) {
            s++;
        }
    }
}

static void way_ahead_down(int n) {
    int *a = malloc((n + 2) * sizeof *a);
    for (int i = n-1; i >= 0; i--) {
        a[i+1] = 5;
        a[i] = 1;
    }
    for (int r = 0; r < n; r++) {
        for (int j = 0; j < a[r]; j++) {
            s++;
        }
    }
}

static void way_break(int n) {
    int *a = malloc((n + 2) * sizeof *a);
    for (int i = 0; i < n; i++) {
        a[i] = 1;
    }
    for (int i = 0; i < n; i++) {
        if (i == 4) {
            break;
        }
        a[i] = 6;
    }
    for (int r = 0; r < n; r++) {
        for (int j = 0; j < a[r]; j++) {
            s++;
        }
    }
}

static void way_shift_up(int n) {
    int *a = malloc((n + 2) * sizeof *a);
    for (int i = 0; i < n; i++) {
        a[i] = i;
    }
    for (int i = n-1; i > 0; i--) {
        a[i] = a[i-1];
    }
    for (int r = 0; r < n; r++) {
        for (int j = 0; j < a[r]; j++) {
            s++;
        }
    }
}

static void way_smear(int n) {
    int *a = malloc((n + 2) * sizeof *a);
    for (int i = 0; i < n; i++) {
        a[i] = i;
    }
    for (int i = 1; i < n; i++) {
        a[i] = a[i-1];
    }
    for (int r = 0; r < n; r++) {
        for (int j = 0; j < a[r]; j++) {
            s++;
        }
    }
}

static void way_smear_const(int n) {
    int *a = malloc((n + 2) * sizeof *a);
    for (int i = 0; i < n; i++) {
        a[i] = i+3;
    }
    for (int i = 1; i < n; i++) {
        a[i] = a[0];
    }
    for (int r = 0; r < n; r++) {
        for (int j = 0; j < a[r]; j++) {
            s++;
        }
    }
}

static void way_two_ptr(int n) {
    int *a = malloc((n + 2) * sizeof *a);
    int *b = n>3?a:a+1;
    for (int i = 0; i < n; i++) {
        a[i] = 1;
    }
    for (int i = 0; i < n; i++) {
        b[i] = 2;
    }
    for (int r = 0; r < n; r++) {
        for (int j = 0; j < a[r]; j++) {
            s++;
        }
    }
}

static void way_inner_reset(int n) {
    int *a = malloc((n + 2) * sizeof *a);
    for (int k = 0; k < 3; k++) {
        for (int i = 0; i < n; i++) {
            a[i] = k;
        }
        a[0] = 9;
    }
    for (int r = 0; r < n; r++) {
        for (int j = 0; j < a[r]; j++) {
            s++;
        }
    }
}

static void way_dyn(int n) {
    int *a = malloc((n + 2) * sizeof *a);
    for (int i = 0; i < n; i++) {
        a[i] = 1;
    }
    for (int i = 0; i < n; i++) {
        if (a[i] > 0) {
            a[i] = 4;
        }
    }
    for (int r = 0; r < n; r++) {
        for (int j = 0; j < a[r]; j++) {
            s++;
        }
    }
}

static void way_acc(int n) {
    int *a = malloc((n + 2) * sizeof *a);
    a[0] = 0;
    for (int i = 0; i < n; i++) {
        a[0] += i;
    }
    for (int i = 1; i < n; i++) {
        a[i] = 2;
    }
    for (int r = 0; r < n; r++) {
        for (int j = 0; j < a[r]; j++) {
            s++;
        }
    }
}

static void way_order(int n) {
    int *a = malloc((n + 2) * sizeof *a);
    for (int i = 0; i < n; i++) {
        a[i] = 3;
    }
    for (int i = 0; i < n; i++) {
        a[n-1-i] = i;
        a[i] = 7;
    }
    for (int r = 0; r < n; r++) {
        for (int j = 0; j < a[r]; j++) {
            s++;
        }
    }
}

static void way_stride3(int n) {
    int *a = malloc((n + 2) * sizeof *a);
    for (int i = 0; i < n; i++) {
        a[i] = 1;
    }
    for (int i = 0; i < n; i += 3) {
        a[i] = 5;
    }
    for (int r = 0; r < n; r++) {
        for (int j = 0; j < a[r]; j++) {
            s++;
        }
    }
}

static void way_cond2(int n) {
    int *a = malloc((n + 2) * sizeof *a);
    for (int i = 0; i < n; i++) {
        a[i] = 1;
        if (i > 2 && i < 7) {
            a[i] = 8;
        }
    }
    for (int r = 0; r < n; r++) {
        for (int j = 0; j < a[r]; j++) {
            s++;
        }
    }
}

static void way_nested_off(int n) {
    int *a = malloc((n + 2) * sizeof *a);
    for (int i = 0; i < n; i++) {
        a[i] = 0;
    }
    for (int i = 0; i+2 < n; i++) {
        for (int j = 0; j < 3; j++) {
            a[i+j] = i;
        }
    }
    for (int r = 0; r < n; r++) {
        for (int j = 0; j < a[r]; j++) {
            s++;
        }
    }
}

static void way_neg(int n) {
    int *a = malloc((n + 2) * sizeof *a);
    for (int i = 0; i < n; i++) {
        a[i] = 5-i;
    }
    for (int r = 0; r < n; r++) {
        for (int j = 0; j < a[r]; j++) {
            s++;
        }
    }
}

static void way_callee_self(int n) {
    int *a = malloc((n + 2) * sizeof *a);
    fill(a,n);
    fill(a,n/2);
    add(a,n);
    add(a,n/2);
    for (int r = 0; r < n; r++) {
        for (int j = 0; j < a[r]; j++) {
            s++;
        }
    }
}

static void way_last(int n) {
    int *a = malloc((n + 2) * sizeof *a);
    int last = 0;
    for (int i = 0; i < n; i++) {
        a[i] = 1;
    }
    for (int i = 0; i < n; i++) {
        last = i;
    }
    a[last] = 4;
    for (int r = 0; r < n; r++) {
        for (int j = 0; j < a[r]; j++) {
            s++;
        }
    }
}

int main(int argc, char **argv) {
    if (argc < 2) {
        return 2;
    }
    int n = atoi(argv[1]);
    way_ahead(n);
    way_behind(n);
    way_ahead_down(n);
    way_break(n);
    way_shift_up(n);
    way_smear(n);
    way_smear_const(n);
    way_two_ptr(n);
    way_inner_reset(n);
    way_dyn(n);
    way_acc(n);
    way_order(n);
    way_stride3(n);
    way_cond2(n);
    way_nested_off(n);
    way_neg(n);
    way_callee_self(n);
    way_last(n);
    return 0;
}
