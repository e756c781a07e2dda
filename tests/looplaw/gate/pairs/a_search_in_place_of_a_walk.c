// expected: nothing
// -- before
#include <stdlib.h>
struct ref { int id; };
int has(const struct ref *refs, size_t n, int id) {
    for (size_t k = 0; k < n; k++)
        if (refs[k].id == id)
            return 1;
    return 0;
}
// -- after
#include <stdlib.h>
struct ref { int id; };
int by_id(const void *a, const void *b) {
    return ((const struct ref *)a)->id - ((const struct ref *)b)->id;
}
int has(const struct ref *refs, size_t n, int id) {
    struct ref key = {id};
    return bsearch(&key, refs, n, sizeof key, by_id) != 0;
}
