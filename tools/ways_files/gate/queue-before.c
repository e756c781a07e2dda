#include "queue.h"
#include <stddef.h>

void queue_add(struct queue *q, struct job *j)
{
    j->next = NULL;
    if (q->last)
        q->last->next = j;
    else
        q->first = j;
    q->last = j;
    q->length++;
}

int queue_length(const struct queue *q)
{
    return q->length;
}

int queue_pairs(const struct queue *q, int id)
{
    int found = 0;
    for (int k = 0; k < queue_length(q); k++)
        found += k % id == 0;
    return found;
}
