// expected: nothing
// -- before
#include <assert.h>
#include <stdio.h>
struct item { struct item *next, *back; int kind; };
void log_at(const char *file, int line, const char *function);
#define LOG() log_at(__FILE__, __LINE__, __func__)
int kinds(struct item *x) {
    int found = 0;
    for (; x; x = x->next) {
        assert(x->next == 0 || x->next->back == x);
        LOG();
        while (x->kind > found)
            found++;
    }
    return found;
}
// -- after
#include <assert.h>
#include <stdio.h>
struct item { struct item *next, *back; int kind; };
void log_at(const char *file, int line, const char *function);
#define LOG() log_at(__FILE__, __LINE__, __func__)
/* the kinds of a list,
   counted */
int kinds(struct item *x) {
    int found = 0;
    for (; x; x = x->next) {
        assert(x->next == 0 || x->next->back == x);
        LOG();
        while (x->kind > found)
            found++;
    }
    return found;
}
