/* args: 3 | 7 : functions whose addresses go, through setters, makers, lists and tables, into
   objects that code elsewhere gets; it calls them as often as it likes */
#include <stdlib.h>

struct button {
    void (*clicked)(int);
    struct button *next;
};
struct entry {
    const char *name;
    void (*run)(int);
};
void show(struct button *shown);
void enter(const struct entry *entries);
void ask(void (*(*chooser)(int))(int));
void later(void (*f)(int));
int loop(int n);
#ifdef TWIN
static struct button *first;
static const struct entry *table;
static void (*(*chosen)(int))(int);
static void (*kept)(int);
void show(struct button *shown) { first = shown; }
void enter(const struct entry *entries) { table = entries; }
void ask(void (*(*chooser)(int))(int)) { chosen = chooser; }
void later(void (*f)(int)) { kept = f; }
int loop(int n) {
    if (first && first->next) {
        first->clicked(n);
        first->next->clicked(n);
        first->next->clicked(1);
    }
    if (table) {
        table->run(n);
    }
    if (chosen) {
        chosen(1)(n);
    }
    if (kept) {
        kept(2);
    }
    return 0;
}
#endif
static volatile int sink;

static void pressed(int n) {
    for (int i = 0; i < n; i++) {
        sink += i;
    }
}
static void released(int n) {
    for (int i = 0; i < 2 * n; i++) {
        sink += i;
    }
}
static void listed(int n) {
    for (int i = 0; i < n + 1; i++) {
        sink += i;
    }
}
static void asked(int n) {
    for (int i = 0; i < n + 2; i++) {
        sink += i;
    }
}
static void handed_on(int n) {
    for (int i = 0; i < n + 3; i++) {
        sink += i;
    }
}
static void stays(int n) {
    for (int i = 0; i < n; i++) {
        sink -= i;
    }
}

static const struct entry entries[] = {{"listed", listed}, {0, 0}};

static void set(struct button *b, void (*f)(int)) { b->clicked = f; }
static struct button *made(void (*f)(int)) {
    struct button *b = calloc(1, sizeof *b);
    if (b == NULL) {
        exit(1);
    }
    set(b, f);
    return b;
}
static void (*choose(int k))(int) { return k ? asked : 0; }
static void on_event(void (*f)(int)) { later(f); }

int main(int argc, char **argv) {
    int n = atoi(argv[argc - 1]);
    struct button *b = made(pressed), own = {stays, NULL};
    b->next = made(released);
    b->next->clicked(n); /* here, and elsewhere */
    own.clicked(n);
    show(b);
    enter(entries);
    ask(choose);
    on_event(handed_on);
    return loop(n);
}
