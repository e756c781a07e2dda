// expected: growth
// -- before
static int next_free(const char *map, int n, int goal, int *found) {
    for (int k = goal; k < n; k++)
        if (!map[k]) {
            *found = k;
            return 0;
        }
    return -1;
}

int take(char *map, int n, int wanted) {
    int block = 0;
    for (int k = 0; k < wanted; k++) {
        if (next_free(map, n, block, &block))
            return -1;
        map[block] = 1;
    }
    return 0;
}
// -- after
static int next_free(const char *map, int n, int goal, int *found) {
    for (int k = goal; k < n; k++)
        if (!map[k]) {
            *found = k;
            return 0;
        }
    return -1;
}

int take(char *map, int n, int wanted) {
    int block = 0;
    for (int k = 0; k < wanted; k++) {
        if (next_free(map, n, 0, &block))
            return -1;
        map[block] = 1;
    }
    return 0;
}
