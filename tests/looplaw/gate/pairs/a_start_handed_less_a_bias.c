// expected: nothing
// -- before
struct node { unsigned long base; struct node *next; };
struct index { struct node *last; unsigned long bias; };
static unsigned bytes_of(unsigned long n) {
    unsigned k = 0;
    do {
        k++;
    } while ((n >>= 7) != 0);
    return k;
}
static unsigned long size_of(unsigned long base, unsigned long sum) {
    return base + bytes_of(base) + bytes_of(sum);
}
int append(struct index *i, struct node *n, unsigned long sum) {
    if (size_of(i->last->base, sum) > 1000)
        return -1;
    n->base = i->last->base + sum;
    i->last->next = n;
    return 0;
}
// -- after
struct node { unsigned long base; struct node *next; };
struct index { struct node *last; unsigned long bias; };
static unsigned bytes_of(unsigned long n) {
    unsigned k = 0;
    do {
        k++;
    } while ((n >>= 7) != 0);
    return k;
}
static unsigned long size_of(unsigned long base, unsigned long sum) {
    return base + bytes_of(base) + bytes_of(sum);
}
int append(struct index *i, struct node *n, unsigned long sum) {
    if (size_of(i->last->base - i->bias, sum) > 1000)
        return -1;
    n->base = i->last->base + sum;
    i->last->next = n;
    return 0;
}
