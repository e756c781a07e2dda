// expected: growth
// -- before
#include <stdlib.h>
struct ref { int id; };
int by_id(const void *a, const void *b) {
    return ((const struct ref *)a)->id - ((const struct ref *)b)->id;
}
int missing(const struct ref *refs, size_t n, const int *ids, int m) {
    int found = 0;
    for (int i = 0; i < m; i++) {
        struct ref key = {ids[i]};
        found += bsearch(&key, refs, n, sizeof key, by_id) == 0;
    }
    return found;
}
// -- after
#include <stdlib.h>
struct ref { int id; };
int missing(const struct ref *refs, size_t n, const int *ids, int m) {
    int found = 0;
    for (int i = 0; i < m; i++) {
        size_t k = 0;
        while (k < n && refs[k].id != ids[i])
            k++;
        found += k == n;
    }
    return found;
}
