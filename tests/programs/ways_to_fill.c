// vary: n=1:14; exact: 182 of 182
// Ways to fill an array whose elements are bounds of loops.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static volatile long s = 0;
static int len;

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

static void put(int *p, int i, int v) {
    p[i] = v;
}

static void range(int *p, int lo, int hi, int v) {
    for (int i = lo; i < hi; i++) {
        p[i] = v;
    }
}

static int *make(int n) {
    int *p = malloc((n+1)*sizeof *p);
    for (int i = 0; i < n; i++) {
        p[i] = 3*i;
    }
    return p;
}

static void way_up(int n) {
    int *a = malloc((n + 2) * sizeof *a);
    for (int i = 0; i < n; i++) {
        a[i] = 2*i+1;
    }
    for (int r = 0; r < n; r++) {
        for (int j = 0; j < a[r]; j++) {
            s++;
        }
    }
}

static void way_down(int n) {
    int *a = malloc((n + 2) * sizeof *a);
    for (int i = n-1; i >= 0; i--) {
        a[i] = 2*i+1;
    }
    for (int r = 0; r < n; r++) {
        for (int j = 0; j < a[r]; j++) {
            s++;
        }
    }
}

static void way_while_down(int n) {
    int *a = malloc((n + 2) * sizeof *a);
    int i = n;
    while (i-->0) {
        a[i] = i;
    }
    for (int r = 0; r < n; r++) {
        for (int j = 0; j < a[r]; j++) {
            s++;
        }
    }
}

static void way_even_odd(int n) {
    int *a = malloc((n + 2) * sizeof *a);
    for (int i = 0; i < n; i += 2) {
        a[i] = 1;
    }
    for (int i = 1; i < n; i += 2) {
        a[i] = 2;
    }
    for (int r = 0; r < n; r++) {
        for (int j = 0; j < a[r]; j++) {
            s++;
        }
    }
}

static void way_pointer(int n) {
    int *a = malloc((n + 2) * sizeof *a);
    int *p = a;
    for (int i = 0; i < n; i++) {
        *p++=i+2;
    }
    for (int r = 0; r < n; r++) {
        for (int j = 0; j < a[r]; j++) {
            s++;
        }
    }
}

static void way_pointer_end(int n) {
    int *a = malloc((n + 2) * sizeof *a);
    int v = 0;
    for (int *p = a; p != a+n; p++) {
        *p = v++;
    }
    for (int r = 0; r < n; r++) {
        for (int j = 0; j < a[r]; j++) {
            s++;
        }
    }
}

static void way_memset(int n) {
    int *a = malloc((n + 2) * sizeof *a);
    memset(a,0,n*sizeof *a);
    for (int r = 0; r < n; r++) {
        for (int j = 0; j < a[r]; j++) {
            s++;
        }
    }
}

static void way_memset_sum(int n) {
    int *a = malloc((n + 2) * sizeof *a);
    memset(a,0,n*sizeof *a);
    for (int i = 0; i < n; i++) {
        a[i] += i;
    }
    for (int r = 0; r < n; r++) {
        for (int j = 0; j < a[r]; j++) {
            s++;
        }
    }
}

static void way_memcpy(int n) {
    int *a = malloc((n + 2) * sizeof *a);
    int *b = malloc((n+1)*sizeof *b);
    for (int i = 0; i < n; i++) {
        b[i] = 3*i;
    }
    memcpy(a,b,n*sizeof *a);
    for (int r = 0; r < n; r++) {
        for (int j = 0; j < a[r]; j++) {
            s++;
        }
    }
}

static void way_copy(int n) {
    int *a = malloc((n + 2) * sizeof *a);
    int *b = malloc((n+1)*sizeof *b);
    for (int i = 0; i < n; i++) {
        b[i] = i+4;
    }
    for (int i = 0; i < n; i++) {
        a[i] = b[i];
    }
    for (int r = 0; r < n; r++) {
        for (int j = 0; j < a[r]; j++) {
            s++;
        }
    }
}

static void way_copy_reversed(int n) {
    int *a = malloc((n + 2) * sizeof *a);
    int *b = malloc((n+1)*sizeof *b);
    for (int i = 0; i < n; i++) {
        b[i] = i+4;
    }
    for (int i = 0; i < n; i++) {
        a[i] = b[n-1-i];
    }
    for (int r = 0; r < n; r++) {
        for (int j = 0; j < a[r]; j++) {
            s++;
        }
    }
}

static void way_halves(int n) {
    int *a = malloc((n + 2) * sizeof *a);
    for (int i = 0; i < n/2; i++) {
        a[i] = i;
    }
    for (int i = n/2; i < n; i++) {
        a[i] = 2*i;
    }
    for (int r = 0; r < n; r++) {
        for (int j = 0; j < a[r]; j++) {
            s++;
        }
    }
}

static void way_guard(int n) {
    int *a = malloc((n + 2) * sizeof *a);
    for (int i = 0; i < n; i++) {
        a[i] = 1;
    }
    for (int i = 0; i < n; i++) {
        if (i < 5) {
            a[i] = i;
        }
    }
    for (int r = 0; r < n; r++) {
        for (int j = 0; j < a[r]; j++) {
            s++;
        }
    }
}

static void way_if_else(int n) {
    int *a = malloc((n + 2) * sizeof *a);
    for (int i = 0; i < n; i++) {
        if (i < 5) {
            a[i] = 7;
        } else {
            a[i] = i;
        }
    }
    for (int r = 0; r < n; r++) {
        for (int j = 0; j < a[r]; j++) {
            s++;
        }
    }
}

static void way_ternary(int n) {
    int *a = malloc((n + 2) * sizeof *a);
    for (int i = 0; i < n; i++) {
        a[i] = i<5 ? 7 : i;
    }
    for (int r = 0; r < n; r++) {
        for (int j = 0; j < a[r]; j++) {
            s++;
        }
    }
}

static void way_prefix(int n) {
    int *a = malloc((n + 2) * sizeof *a);
    a[0] = 0;
    for (int i = 0; i < n; i++) {
        a[i+1] = a[i]+i;
    }
    for (int r = 0; r < n; r++) {
        for (int j = 0; j < a[r]; j++) {
            s++;
        }
    }
}

static void way_prefix_const(int n) {
    int *a = malloc((n + 2) * sizeof *a);
    a[0] = 1;
    for (int i = 1; i < n; i++) {
        a[i] = a[i-1]+2;
    }
    for (int r = 0; r < n; r++) {
        for (int j = 0; j < a[r]; j++) {
            s++;
        }
    }
}

static void way_prefix_in_place(int n) {
    int *a = malloc((n + 2) * sizeof *a);
    for (int i = 0; i < n; i++) {
        a[i] = i;
    }
    for (int i = 1; i < n; i++) {
        a[i] += a[i-1];
    }
    for (int r = 0; r < n; r++) {
        for (int j = 0; j < a[r]; j++) {
            s++;
        }
    }
}

static void way_suffix(int n) {
    int *a = malloc((n + 2) * sizeof *a);
    a[n] = 0;
    for (int i = n-1; i >= 0; i--) {
        a[i] = a[i+1]+1;
    }
    for (int r = 0; r < n; r++) {
        for (int j = 0; j < a[r]; j++) {
            s++;
        }
    }
}

static void way_running(int n) {
    int *a = malloc((n + 2) * sizeof *a);
    int s = 0;
    for (int i = 0; i < n; i++) {
        s += i;
        a[i] = s;
    }
    for (int r = 0; r < n; r++) {
        for (int j = 0; j < a[r]; j++) {
            s++;
        }
    }
}

static void way_update(int n) {
    int *a = malloc((n + 2) * sizeof *a);
    for (int i = 0; i < n; i++) {
        a[i] = i;
    }
    for (int i = 0; i < n; i++) {
        a[i] += 3;
    }
    for (int r = 0; r < n; r++) {
        for (int j = 0; j < a[r]; j++) {
            s++;
        }
    }
}

static void way_update_twice(int n) {
    int *a = malloc((n + 2) * sizeof *a);
    for (int i = 0; i < n; i++) {
        a[i] = i;
    }
    for (int i = 0; i < n; i++) {
        a[i] += i;
    }
    for (int i = 0; i < n; i++) {
        a[i] *= 2;
    }
    for (int r = 0; r < n; r++) {
        for (int j = 0; j < a[r]; j++) {
            s++;
        }
    }
}

static void way_callee(int n) {
    int *a = malloc((n + 2) * sizeof *a);
    fill(a,n);
    for (int r = 0; r < n; r++) {
        for (int j = 0; j < a[r]; j++) {
            s++;
        }
    }
}

static void way_callee_element(int n) {
    int *a = malloc((n + 2) * sizeof *a);
    for (int i = 0; i < n; i++) {
        put(a,i,i+1);
    }
    for (int r = 0; r < n; r++) {
        for (int j = 0; j < a[r]; j++) {
            s++;
        }
    }
}

static void way_callee_two(int n) {
    int *a = malloc((n + 2) * sizeof *a);
    fill(a,n);
    add(a,n);
    for (int r = 0; r < n; r++) {
        for (int j = 0; j < a[r]; j++) {
            s++;
        }
    }
}

static void way_callee_range(int n) {
    int *a = malloc((n + 2) * sizeof *a);
    range(a,0,n/2,3);
    range(a,n/2,n,5);
    for (int r = 0; r < n; r++) {
        for (int j = 0; j < a[r]; j++) {
            s++;
        }
    }
}

static void way_made(int n) {
    int *a = malloc((n + 2) * sizeof *a);
    free(a);
    a = make(n);
    for (int r = 0; r < n; r++) {
        for (int j = 0; j < a[r]; j++) {
            s++;
        }
    }
}

static void way_field(int n) {
    int *a = malloc((n + 2) * sizeof *a);
    struct P{int x,len;}*q = malloc((n+1)*sizeof *q);
    for (int i = 0; i < n; i++) {
        q[i].x = 0;
        q[i].len = i;
    }
    for (int i = 0; i < n; i++) {
        a[i] = q[i].len;
    }
    for (int r = 0; r < n; r++) {
        for (int j = 0; j < a[r]; j++) {
            s++;
        }
    }
}

static void way_rows(int n) {
    int *a = malloc((n + 2) * sizeof *a);
    int m = 4;
    for (int i = 0; i < n; i++) {
        a[i] = 0;
    }
    for (int i = 0; i < n/4; i++) {
        for (int j = 0; j < m; j++) {
            a[i*m+j] = i*m+j;
        }
    }
    for (int r = 0; r < n; r++) {
        for (int j = 0; j < a[r]; j++) {
            s++;
        }
    }
}

static void way_rows_value(int n) {
    int *a = malloc((n + 2) * sizeof *a);
    for (int i = 0; i < n; i++) {
        a[i] = 0;
    }
    for (int i = 0; i < n/4; i++) {
        for (int j = 0; j < 4; j++) {
            a[i*4+j] = i;
        }
    }
    for (int r = 0; r < n; r++) {
        for (int j = 0; j < a[r]; j++) {
            s++;
        }
    }
}

static void way_part(int n) {
    int *a = malloc((n + 2) * sizeof *a);
    for (int i = 0; i < n; i++) {
        a[i] = 1;
    }
    for (int i = 0; i < n/3; i++) {
        a[i] = 9;
    }
    for (int r = 0; r < n; r++) {
        for (int j = 0; j < a[r]; j++) {
            s++;
        }
    }
}

static void way_middle(int n) {
    int *a = malloc((n + 2) * sizeof *a);
    for (int i = 0; i < n; i++) {
        a[i] = 1;
    }
    if (n > 3) {
        a[2] = 9;
    }
    for (int r = 0; r < n; r++) {
        for (int j = 0; j < a[r]; j++) {
            s++;
        }
    }
}

static void way_first_last(int n) {
    int *a = malloc((n + 2) * sizeof *a);
    for (int i = 0; i < n; i++) {
        a[i] = 4;
    }
    a[0] = 1;
    a[n-1] = 2;
    for (int r = 0; r < n; r++) {
        for (int j = 0; j < a[r]; j++) {
            s++;
        }
    }
}

static void way_swap(int n) {
    int *a = malloc((n + 2) * sizeof *a);
    for (int i = 0; i < n; i++) {
        a[i] = i;
    }
    int t = a[0];
    a[0] = a[n-1];
    a[n-1] = t;
    for (int r = 0; r < n; r++) {
        for (int j = 0; j < a[r]; j++) {
            s++;
        }
    }
}

static void way_reverse(int n) {
    int *a = malloc((n + 2) * sizeof *a);
    for (int i = 0; i < n; i++) {
        a[i] = i;
    }
    for (int i = 0; i < n/2; i++) {
        int t = a[i];
        a[i] = a[n-1-i];
        a[n-1-i] = t;
    }
    for (int r = 0; r < n; r++) {
        for (int j = 0; j < a[r]; j++) {
            s++;
        }
    }
}

static void way_realloc(int n) {
    int *a = malloc((n + 2) * sizeof *a);
    for (int i = 0; i < n; i++) {
        a[i] = 1;
    }
    a = realloc(a,(2*n+2)*sizeof *a);
    for (int i = n/2; i < n; i++) {
        a[i] = 2;
    }
    for (int r = 0; r < n; r++) {
        for (int j = 0; j < a[r]; j++) {
            s++;
        }
    }
}

static void way_calloc(int n) {
    int *a = malloc((n + 2) * sizeof *a);
    a = calloc(n+2,sizeof *a);
    for (int i = 2; i < n; i++) {
        a[i] = 5;
    }
    for (int r = 0; r < n; r++) {
        for (int j = 0; j < a[r]; j++) {
            s++;
        }
    }
}

static void way_local(int n) {
    int *a = malloc((n + 2) * sizeof *a);
    int l[64];
    for (int i = 0; i < n; i++) {
        l[i] = i;
    }
    a = l;
    for (int r = 0; r < n; r++) {
        for (int j = 0; j < a[r]; j++) {
            s++;
        }
    }
}

static void way_dowhile(int n) {
    int *a = malloc((n + 2) * sizeof *a);
    int i = 0;
    do {
        a[i] = i;
        i++;
    } while(i<n);
    for (int r = 0; r < n; r++) {
        for (int j = 0; j < a[r]; j++) {
            s++;
        }
    }
}

static void way_triangle(int n) {
    int *a = malloc((n + 2) * sizeof *a);
    for (int i = 0; i < n; i++) {
        for (int j = 0; j <= i; j++) {
            a[j] = i;
        }
    }
    for (int r = 0; r < n; r++) {
        for (int j = 0; j < a[r]; j++) {
            s++;
        }
    }
}

static void way_squares(int n) {
    int *a = malloc((n + 2) * sizeof *a);
    for (int i = 0; i < n; i++) {
        a[i] = i*i;
    }
    for (int r = 0; r < n; r++) {
        for (int j = 0; j < a[r]; j++) {
            s++;
        }
    }
}

static void way_countdown_ptr(int n) {
    int *a = malloc((n + 2) * sizeof *a);
    int *p = a+n;
    while (p != a) {
        *--p = 2;
    }
    for (int r = 0; r < n; r++) {
        for (int j = 0; j < a[r]; j++) {
            s++;
        }
    }
}

static void way_if_param(int n) {
    int *a = malloc((n + 2) * sizeof *a);
    if (n > 10) {
        for (int i = 0; i < n; i++) {
            a[i] = 1;
        }
    } else {
        for (int i = 0; i < n; i++) {
            a[i] = 2;
        }
    }
    for (int r = 0; r < n; r++) {
        for (int j = 0; j < a[r]; j++) {
            s++;
        }
    }
}

static void way_long(int n) {
    int *a = malloc((n + 2) * sizeof *a);
    long *b = malloc((n+1)*sizeof *b);
    for (long i = 0; i < n; i++) {
        b[i] = i;
    }
    for (int i = 0; i < n; i++) {
        a[i] = b[i];
    }
    for (int r = 0; r < n; r++) {
        for (int j = 0; j < a[r]; j++) {
            s++;
        }
    }
}

static void way_short(int n) {
    int *a = malloc((n + 2) * sizeof *a);
    short *b = malloc((n+1)*sizeof *b);
    for (int i = 0; i < n; i++) {
        b[i] = 3;
    }
    for (int i = 0; i < n; i++) {
        a[i] = b[i];
    }
    for (int r = 0; r < n; r++) {
        for (int j = 0; j < a[r]; j++) {
            s++;
        }
    }
}

static void way_unsigned(int n) {
    int *a = malloc((n + 2) * sizeof *a);
    unsigned *b = malloc((n+1)*sizeof *b);
    for (unsigned i = 0; i < (unsigned)n; i++) {
        b[i] = i;
    }
    for (int i = 0; i < n; i++) {
        a[i] = b[i];
    }
    for (int r = 0; r < n; r++) {
        for (int j = 0; j < a[r]; j++) {
            s++;
        }
    }
}

static void way_global_n(int n) {
    int *a = malloc((n + 2) * sizeof *a);
    len = n;
    for (int i = 0; i < len; i++) {
        a[i] = len-i;
    }
    for (int r = 0; r < n; r++) {
        for (int j = 0; j < a[r]; j++) {
            s++;
        }
    }
}

static void way_double_up(int n) {
    int *a = malloc((n + 2) * sizeof *a);
    a[0] = 1;
    for (int i = 1; i < n; i++) {
        a[i] = 2*a[i-1];
    }
    for (int r = 0; r < n; r++) {
        for (int j = 0; j < a[r]; j++) {
            s++;
        }
    }
}

static void way_mod(int n) {
    int *a = malloc((n + 2) * sizeof *a);
    for (int i = 0; i < n; i++) {
        a[i] = i%3;
    }
    for (int r = 0; r < n; r++) {
        for (int j = 0; j < a[r]; j++) {
            s++;
        }
    }
}

static void way_shift(int n) {
    int *a = malloc((n + 2) * sizeof *a);
    for (int i = 0; i < n; i++) {
        a[i] = i;
    }
    for (int i = 0; i+1 < n; i++) {
        a[i] = a[i+1];
    }
    for (int r = 0; r < n; r++) {
        for (int j = 0; j < a[r]; j++) {
            s++;
        }
    }
}

static void way_min(int n) {
    int *a = malloc((n + 2) * sizeof *a);
    for (int i = 0; i < n; i++) {
        a[i] = i<8?i:8;
    }
    for (int r = 0; r < n; r++) {
        for (int j = 0; j < a[r]; j++) {
            s++;
        }
    }
}

static void way_continue(int n) {
    int *a = malloc((n + 2) * sizeof *a);
    for (int i = 0; i < n; i++) {
        if (i == 3) {
            a[i] = 0;
            continue;
        }
        a[i] = 2;
    }
    for (int r = 0; r < n; r++) {
        for (int j = 0; j < a[r]; j++) {
            s++;
        }
    }
}

static void way_indirect_zero(int n) {
    int *a = malloc((n + 2) * sizeof *a);
    for (int i = 0; i < n; i++) {
        a[i] = 0;
    }
    for (int i = 0; i < n; i++) {
        a[n-1-i] = i;
    }
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
    way_up(n);
    way_down(n);
    way_while_down(n);
    way_even_odd(n);
    way_pointer(n);
    way_pointer_end(n);
    way_memset(n);
    way_memset_sum(n);
    way_memcpy(n);
    way_copy(n);
    way_copy_reversed(n);
    way_halves(n);
    way_guard(n);
    way_if_else(n);
    way_ternary(n);
    way_prefix(n);
    way_prefix_const(n);
    way_prefix_in_place(n);
    way_suffix(n);
    way_running(n);
    way_update(n);
    way_update_twice(n);
    way_callee(n);
    way_callee_element(n);
    way_callee_two(n);
    way_callee_range(n);
    way_made(n);
    way_field(n);
    way_rows(n);
    way_rows_value(n);
    way_part(n);
    way_middle(n);
    way_first_last(n);
    way_swap(n);
    way_reverse(n);
    way_realloc(n);
    way_calloc(n);
    way_local(n);
    way_dowhile(n);
    way_triangle(n);
    way_squares(n);
    way_countdown_ptr(n);
    way_if_param(n);
    way_long(n);
    way_short(n);
    way_unsigned(n);
    way_global_n(n);
    way_double_up(n);
    way_mod(n);
    way_shift(n);
    way_min(n);
    way_continue(n);
    way_indirect_zero(n);
    return 0;
}
