// expected: nothing
// -- before
int cost(int of);
void note(const char *text);
int total(const int *a, int n) {
    int s = 0;
    for (int i = 0; i < n; i++)
        s += a[i] + cost(i);
    return s;
}
// -- after
int price(int of);
void note(const char *text);
int total(const int *a, int n) {
    int s = 0;
    note("total");
    for (int i = 0; i < n; i++)
        s += a[i] + price(i);
    return s;
}
