/* args: 3 5 | 8 2 | 12 1 | 0 9 : variables that functions of the library set though they are not handed them : flags: -D_GNU_SOURCE */
#include <error.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
extern long __timezone;
static void format(void) {
    struct tm parts = {0};
    char text[40];
    strftime(text, sizeof text, "%c", &parts);
}
int main(int argc, char **argv) {
    int n = atoi(argv[1]), m = atoi(argv[2]);
    int s = 0;
    time_t zero = 0;
    struct tm parts;
    setenv("TZ", "UTC", 1);
    timezone = n;
    s += localtime(&zero)->tm_sec;
    for (int i = 0; i < timezone; i++) {
        s++;
    }
    timezone = m;
    localtime_r(&zero, &parts);
    for (int i = 0; i < timezone; i++) {
        s++;
    }
    timezone = n;
    __timezone = 3;
    for (int i = 0; i < timezone; i++) {
        s++;
    }
    daylight = n;
    tzset();
    for (int i = 0; i < daylight; i++) {
        s++;
    }
    daylight = m;
    format();
    for (int i = 0; i < daylight; i++) {
        s++;
    }
    error_message_count = n;
    error(0, 0, "a message");
    for (unsigned i = 0; i < error_message_count; i++) {
        s++;
    }
    error_at_line(0, 0, "file", 3, "another");
    for (unsigned i = 0; i < error_message_count; i++) {
        s++;
    }
    getdate_err = n;
    getdate("no date");
    for (int i = 0; i < getdate_err; i++) {
        s++;
    }
    volatile float x = -0.5f;
    signgam = m;
    x = lgammaf(x);
    for (int i = 0; i < signgam + 2; i++) {
        s++;
    }
    printf("%d\n", s);
    return 0;
}
