/* 5 3: n=5 rounds=3 | 8 2: n=8 rounds=2 */
#include <stdio.h>
#include <stdlib.h>

struct job {
    int cost;
    struct job *next;
};

struct queue {
    struct job *first, *last;
};

static struct job *waiting, *newest;

static struct job *new_job(int cost) {
    struct job *j = malloc(sizeof *j);
    if (!j) {
        exit(1);
    }
    j->cost = cost;
    j->next = NULL;
    return j;
}

static void put(struct queue *q, int cost) {
    struct job *j = new_job(cost);
    if (q->last) {
        q->last->next = j;
    } else {
        q->first = j;
    }
    q->last = j;
}

static long cost_of(const struct queue *q) {
    long s = 0;
    for (const struct job *j = q->first; j; j = j->next) { /* n*(n+1)/2 + rounds*(n + 1)*n/2 */
        s += j->cost;
    }
    return s;
}

static int take(struct queue *q) {
    struct job *j = q->first;
    int cost = j->cost;
    q->first = j->next;
    if (q->first == NULL) {
        q->last = NULL;
    }
    free(j);
    return cost;
}

static void wait_for(int cost) {
    struct job *j = new_job(cost);
    if (waiting == NULL)
        waiting = j;
    else
        newest->next = j;
    newest = j;
}

int main(int argc, char **argv) {
    int n = atoi(argv[1]), rounds = atoi(argv[2]);
    long s = 0;
    struct queue odd = {NULL, NULL}, all = {NULL, NULL};
    for (int i = 0; i < n; i++) { /* n */
        put(&all, i);
        s += cost_of(&all);
    }
    for (int r = 0; r < rounds; r++) { /* rounds */
        odd.first = odd.last = NULL;
        for (int i = 0; i < n * (n + 1) / 2; i++) { /* rounds*n*(n+1)/2 */
            put(&odd, i);
        }
        s += cost_of(&odd);
    }
    struct job *head = NULL, *tail = NULL;
    for (int i = 0; i < n; i++) { /* n */
        for (int k = 0; k < rounds; k++) { /* n*rounds */
            struct job *j = new_job(k);
            if (!head) {
                head = tail = j;
            } else {
                tail->next = j;
                tail = j;
            }
        }
    }
    for (struct job *j = head; j; j = j->next) { /* n*rounds */
        wait_for(j->cost);
    }
    for (struct job *j = waiting; j != NULL; j = j->next) { /* n*rounds */
        s += j->cost;
    }
    while (all.first) { /* n */
        s += take(&all);
    }
    for (int k = 0; k < rounds; k++) { /* rounds */
        put(&all, k);
    }
    for (struct job *j = all.first; j; j = j->next) { /* rounds */
        s += j->cost;
    }
    printf("%ld\n", s);
    return 0;
}
