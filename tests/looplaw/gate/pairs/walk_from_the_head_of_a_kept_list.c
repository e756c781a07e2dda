// expected: growth
// -- before
struct n { struct n *next; int done; };
struct l { struct n *head, *cur; };
struct n *next_open(struct l *l) {
  for (struct n *x = l->cur; x; x = x->next)
    if (!x->done) { l->cur = x; return x; }
  return 0;
}
// -- after
struct n { struct n *next; int done; };
struct l { struct n *head, *cur; };
struct n *next_open(struct l *l) {
  for (struct n *x = l->head; x; x = x->next)
    if (!x->done) { l->cur = x; return x; }
  return 0;
}
