/* A text that grows by snprintf behind what strlen finds. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void slow(char *out, size_t room, const int *a, int n) {
    out[0] = 0;
    for (int i = 0; i < n; i++)
        snprintf(out + strlen(out), room, "%d ", a[i]); /* finding: strlen out */
}

void fast(char *out, size_t room, const int *a, int n) {
    size_t used = 0;
    for (int i = 0; i < n; i++)
        used += (size_t)snprintf(out + used, room, "%d ", a[i]);
}

int main(void) {
    char b[100]; int a[3] = {1, 2, 3}; slow(b, 20, a, 3); fast(b, 20, a, 3); puts(b);
    return 0;
}
