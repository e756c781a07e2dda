// expected: growth
// -- before
int limit, seen[4];
extern int next(int);
void all(void) {
    for (int k = 0; k < 8; k++) seen[k & 3]++;
    for (int i = 0; i < limit && next(i); i++) seen[0]++;
}
// -- after
int limit, seen[4];
extern int next(int);
void all(void) {
    for (int k = 0; k < limit; k++) seen[k & 3]++;
    for (int i = 0; i < limit && next(i); i++) seen[0]++;
}
