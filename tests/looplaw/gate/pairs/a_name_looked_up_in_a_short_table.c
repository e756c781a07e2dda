// expected: nothing
// -- before
#include <stdlib.h>
#include <string.h>
void say(const char *what);
int number(const char *s);
static const char *states[] = {"off", "listening", "learning", "forwarding", "blocking"};
void tell(int state) { say(states[state]); }
int set(int argc, char **argv) {
    int state = -1, cost = 0;
    while (argc > 0) {
        if (strcmp(*argv, "cost") == 0) {
            argv++, argc--;
            cost = number(*argv);
        } else if (strcmp(*argv, "state") == 0) {
            argv++, argc--;
            state = number(*argv);
        }
        argv++, argc--;
    }
    return state + cost;
}
// -- after
#include <stdlib.h>
#include <string.h>
void say(const char *what);
int number(const char *s);
static const char *states[] = {"off", "listening", "learning", "forwarding", "blocking"};
void tell(int state) { say(states[state]); }
int set(int argc, char **argv) {
    int state = -1, cost = 0;
    while (argc > 0) {
        if (strcmp(*argv, "cost") == 0) {
            argv++, argc--;
            cost = number(*argv);
        } else if (strcmp(*argv, "state") == 0) {
            argv++, argc--;
            for (state = 0; state < 5; state++)
                if (strcmp(states[state], *argv) == 0)
                    break;
        }
        argv++, argc--;
    }
    return state + cost;
}
