/* args: 10 4,5 0x12 8 | 25 7,9,2 17 9 | 7 1,2 0b1 3 : words of the command line that change before they are read */
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
#include <unistd.h>
static char *word(char **list, int k) { return list[k]; }
static void shorten(char *text) { text[0] = '1'; }
struct Reader {
    char **list;
    int base;
    int number(int k) { return (int)strtol(list[k], nullptr, base); }
};
int main(int argc, char **argv) {
    if (argc < 5) return 1;
    long s = 0;
    char *first = strtok(argv[2], ",");
    char *second = strtok(nullptr, ",");
    for (int i = 0; i < atoi(first); i++) {
        s++;
    }
    for (int i = 0; i < atoi(second); i++) {
        s++;
    }
    for (int i = 0; i < atoi(argv[2]); i++) {
        s++;
    }
    shorten(word(argv, 1));
    for (int i = 0; i < atoi(word(argv, 1)); i++) {
        s++;
    }
    Reader r{argv, 16};
    int sixteen = r.number(3);
    for (int i = 0; i < sixteen; i++) {
        s++;
    }
    unsigned long any = strtoul(argv[3], nullptr, 0);
    for (unsigned long i = 0; i < any; i++) {
        s++;
    }
    argv[1] = argv[4];
    for (int i = 0; i < atoi(argv[1]); i++) {
        s++;
    }
    int stood = std::stoi(std::string(argv[3]), nullptr, 0);
    for (int i = 0; i < stood; i++) {
        s++;
    }
    printf("%ld\n", s);
    return 0;
}
