// expected: growth
// -- before
#include <stdlib.h>
struct region { struct region *next; long areas; };
struct table { struct region *regions; long number; };
void (*tell)(int level, const char *what, ...);
static long number_of(const struct table *t) {
    if (!t) {
        tell(3, "no table of %d", 1);
        return 0;
    }
    return t->regions ? t->number : 0;
}
static long areas_of(const struct table *t) {
    long found = 0;
    for (struct region *r = t->regions; r; r = r->next)
        found += r->areas;
    return found;
}
static struct region *made(long number) {
    struct region *first = 0;
    for (long i = 0; i < number; i++) {
        struct region *r = malloc(sizeof *r);
        if (!r)
            return 0;
        r->next = first;
        first = r;
    }
    return first;
}
long all_areas(const struct table *t) { return areas_of(t) + number_of(t); }
int removed(struct table *t, long at) {
    if (!t->regions && !(t->regions = made(t->number)))
        return -1;
    if (!number_of(t))
        return -1;
    tell(1, "removed %ld", at);
    return 0;
}
// -- after
#include <stdlib.h>
struct region { struct region *next; long areas; };
struct table { struct region *regions; long number; };
void (*tell)(int level, const char *what, ...);
static long number_of(const struct table *t) {
    if (!t) {
        tell(3, "no table of %d", 1);
        return 0;
    }
    return t->regions ? t->number : 0;
}
static long areas_of(const struct table *t) {
    long found = 0;
    for (struct region *r = t->regions; r; r = r->next)
        found += r->areas;
    return found;
}
static struct region *made(long number) {
    struct region *first = 0;
    for (long i = 0; i < number; i++) {
        struct region *r = malloc(sizeof *r);
        if (!r)
            return 0;
        r->next = first;
        first = r;
    }
    return first;
}
long all_areas(const struct table *t) { return areas_of(t) + number_of(t); }
int removed(struct table *t, long at) {
    if (!t->regions && !(t->regions = made(t->number)))
        return -1;
    if (!areas_of(t))
        return -1;
    tell(1, "removed %ld", at);
    return 0;
}
