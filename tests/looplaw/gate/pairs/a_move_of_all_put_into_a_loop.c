// expected: growth
// -- before
#include <string.h>
struct text { char *start; long size; };
int parsed(const char *start, long size);
static void drop(struct text *t, long n) {
    if (n > 0) {
        if (n > t->size)
            n = t->size;
        t->size = t->size - n;
        if (t->size)
            memmove(t->start, t->start + n, t->size);
        t->start[t->size] = 0;
    }
}
void finish(struct text *t) {
    const char *at = t->start;
    long left = t->size, n;
    while (left && *at == '[' && (n = parsed(at, left))) {
        at += n;
        left -= n;
    }
    drop(t, t->size - left);
}
// -- after
#include <string.h>
struct text { char *start; long size; };
int parsed(const char *start, long size);
static void drop(struct text *t, long n) {
    if (n > 0) {
        if (n > t->size)
            n = t->size;
        t->size = t->size - n;
        if (t->size)
            memmove(t->start, t->start + n, t->size);
        t->start[t->size] = 0;
    }
}
void finish(struct text *t) {
    long n;
    while (t->size && *t->start == '[' && (n = parsed(t->start, t->size)))
        drop(t, n);
}
