// expected: growth
// -- before
struct parser { const char *buf; int scanned, len; };
int find_end(struct parser *p) {
  int i;
  for (i = p->scanned; i < p->len; i++)
    if (p->buf[i] == '\n') { p->scanned = i + 1; return i; }
  p->scanned = i;
  return -1;
}
// -- after
struct parser { const char *buf; int gone, len; };
int find_end(struct parser *p) {
  int i;
  for (i = 0; i < p->len; i++)
    if (p->buf[i] == '\n') { return i; }
  
  return -1;
}
