// expected: growth
// -- before
struct line { int y; struct line *next; };
struct lines { struct line *first, *last; };

struct line *place(struct lines *all, int y) {
    struct line *at;
    if (all->last && all->last->y < y) {
        at = 0;
    } else {
        for (at = all->first; at; at = at->next)
            if (at->y >= y)
                break;
    }
    return at;
}
// -- after
struct line { int y; struct line *next; };
struct lines { struct line *first, *last; };

struct line *place(struct lines *all, int y) {
    struct line *at;
    for (at = all->first; at; at = at->next)
        if (at->y >= y)
            break;
    return at;
}
