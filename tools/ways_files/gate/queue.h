struct job { struct job *next; int id; };
struct queue { struct job *first, *last; int length; };

void queue_add(struct queue *q, struct job *j);
int queue_length(const struct queue *q);
int queue_pairs(const struct queue *q, int id);
