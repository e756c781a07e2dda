/* Elements put in front of an array by a loop that moves all others. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void slow(const int *in, int n, int *out) {
    for (int i = 0; i < n; i++) {
        for (int j = i; j > 0; j--) /* finding: loop out */
            out[j] = out[j - 1];
        out[0] = in[i];
    }
}

void fast(const int *in, int n, int *out) {
    for (int i = 0; i < n; i++)
        out[n - 1 - i] = in[i];
}

int main(void) {
    int a[3] = {1, 2, 3}, o[3]; slow(a, 3, o); fast(a, 3, o); printf("%d\n", o[0]);
    return 0;
}
