// expected: undecided
// -- before
struct t { struct t *l,*r; int seen; int v; };
long total;
void walk(struct t *x){ if(!x) return; if(total<1000000){ total+=x->v; walk(x->l); walk(x->r);} }
// -- after
struct t { struct t *l,*r; int seen; int v; };
long total;
void walk(struct t *x){ if(!x) return; { total+=x->v; walk(x->l); walk(x->r);} }
