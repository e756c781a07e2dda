// expected: growth or undecided
// -- before
int total(const int *size, int n) {
    int s = 0;
    for (int i = 1; i < n; i++) s += i;
    for (int r = 1; r < n; r *= 2)
        for (int j = 0; j < size[r]; j++) s++;
    return s;
}
// -- after
int total(const int *size, int n) {
    int s = 0;
    for (int i = 1; i < n; i++) s += i;
    for (int r = 1; r < n; r++)
        for (int j = 0; j < size[r]; j++) s++;
    return s;
}
