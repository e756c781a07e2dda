// expected: nothing
// -- before
#include <string.h>
typedef struct node { struct node *next; int kind; char text[32]; } node;
typedef struct iter { node *at; int event; } iter;
static int state(iter *it) { return it->event; }
static node *take(iter *it) {
    node *n = it->at;
    if (!n) { it->event = 0; return 0; }
    it->at = n->next;
    return n;
}
extern void put(const char *text);
void render(iter *it) {
    while (state(it)) {
        node *n = take(it);
        if (n && n->kind == 1) put(n->text);
    }
}
// -- after
#include <string.h>
typedef struct node { struct node *next; int kind; char text[32]; } node;
typedef struct iter { node *at; int event; } iter;
static int state(iter *it) { return it->event; }
static node *take(iter *it) {
    node *n = it->at;
    if (!n) { it->event = 0; return 0; }
    it->at = n->next;
    return n;
}
extern void put(const char *text);
void render(iter *it) {
    while (state(it)) {
        node *n = take(it);
        if (n && n->kind == 1) {
            put(n->text);
            node *m = n->next;
            while (m && m->kind == 1) {
                take(it);
                m = m->next;
            }
        }
    }
}
