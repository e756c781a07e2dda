// expected: nothing
// -- before
#include <stdlib.h>
#include <string.h>
static const char *states[] = {"off", "listening", "learning", "forwarding", "blocking"};
int modify(int argc, char **argv) {
    int state = -1;
    for (; argc > 1; argc -= 2, argv += 2)
        if (strcmp(argv[0], "state") == 0)
            state = atoi(argv[1]);
    return state;
}
// -- after
#include <stdlib.h>
#include <string.h>
static const char *states[] = {"off", "listening", "learning", "forwarding", "blocking"};
int modify(int argc, char **argv) {
    int state = -1;
    for (; argc > 1; argc -= 2, argv += 2)
        if (strcmp(argv[0], "state") == 0)
            for (state = 0; state < 5; state++)
                if (strcmp(states[state], argv[1]) == 0)
                    break;
    return state;
}
