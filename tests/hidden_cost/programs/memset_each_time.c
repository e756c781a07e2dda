/* Marks of all nodes that are cleared for each query. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int slow(const int *next, int n, const int *queries, int q, char *seen) {
    int hits = 0;
    for (int i = 0; i < q; i++) {
        memset(seen, 0, n); /* finding: memset seen */
        seen[queries[i]] = 1;
        hits += seen[next[queries[i]]];
    }
    return hits;
}

int fast(const int *next, int n, const int *queries, int q, char *seen) {
    int hits = 0;
    memset(seen, 0, n);
    for (int i = 0; i < q; i++) {
        seen[queries[i]] = 1;
        hits += seen[next[queries[i]]];
        seen[queries[i]] = 0;
    }
    return hits;
}

int main(void) {
    int x[3] = {1, 2, 0}, q[2] = {0, 1}; char s[3]; printf("%d %d\n", slow(x, 3, q, 2, s), fast(x, 3, q, 2, s));
    return 0;
}
