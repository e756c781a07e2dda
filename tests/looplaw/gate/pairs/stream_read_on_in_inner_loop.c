// expected: nothing
// -- before
char *read_line(char *line, int size, void *stream);
void handle(char *line);
int parse(char *(*reader)(char *, int, void *), void *stream) {
    char line[200];
    int lines = 0;
    while (reader(line, sizeof line, stream) != 0) {
        lines++;
        handle(line);
    }
    return lines;
}
// -- after
char *read_line(char *line, int size, void *stream);
void handle(char *line);
int parse(char *(*reader)(char *, int, void *), void *stream) {
    char line[200], rest[16];
    int lines = 0;
    while (reader(line, sizeof line, stream) != 0) {
        lines++;
        if (line[198] != 0)
            while (reader(rest, sizeof rest, stream) != 0)
                if (rest[0] == '\n') break;
        handle(line);
    }
    return lines;
}
