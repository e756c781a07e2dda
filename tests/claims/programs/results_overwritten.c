/* args: 5 3 | 0 0 | 2 4 | 9 2 : what library functions return and change later */
#include <ctype.h>
#include <math.h>
#include <dirent.h>
#include <grp.h>
#include <locale.h>
#include <netdb.h>
#include <pwd.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/time.h>
#include <sys/times.h>
#include <time.h>
#include <unistd.h>
static int t;
int main(int argc, char **argv) {
    int n = atoi(argv[1]), m = atoi(argv[2]);
    struct passwd *pw = getpwuid(0);
    if (pw) {
        pw->pw_uid = n;
        for (unsigned i = 0; i < pw->pw_uid; i++) {
            t++;
        }
        getpwuid(0);
        for (unsigned i = 0; i < pw->pw_uid; i++) {
            t++;
        }
    }
    time_t zero = 0;
    struct tm *a = gmtime(&zero), *b;
    a->tm_mday = n;
    zero = 86400 * 4;
    b = gmtime(&zero);
    for (int i = 0; i < a->tm_mday; i++) {
        t++;
    }
    b->tm_mday = m;
    for (int i = 0; i < a->tm_mday; i++) {
        t++;
    }
    struct stat st;
    st.st_size = n;
    stat(".", &st);
    for (int i = 0; i < (st.st_size > 0); i++) {
        t++;
    }
    div_t d = div(n, m ? m : 1);
    for (int i = 0; i < d.quot + d.rem; i++) {
        t++;
    }
    char *s = setlocale(LC_ALL, NULL);
    for (size_t i = 0; i < strlen(s); i++) {
        t++;
    }
    char buf[32] = "abc";
    char *q = strcpy(buf, "hello");
    q[2] = 0;
    for (char *c = buf; *c; c++) {
        t++;
    }
    char *r = stpcpy(buf, "xy");
    for (int i = 0; i < (int)(r - buf); i++) {
        t++;
    }
    *r = 'z';
    for (size_t i = 0; i < strnlen(buf, 4); i++) {
        t++;
    }
    char *dup = strdup("abcd");
    dup[1] = 0;
    for (size_t i = 0; i < strlen(dup); i++) {
        t++;
    }
    struct timeval tv = {n, 0};
    gettimeofday(&tv, 0);
    for (int i = 0; i < (tv.tv_sec > 100); i++) {
        t++;
    }
    long x = n;
    srandom(1);
    x = random() % 1 + 2;
    for (long i = 0; i < x; i++) {
        t++;
    }
    int u = toupper('a') - 60;
    for (int i = 0; i < u; i++) {
        t++;
    }
    char *p = memchr("abcdef", 'd', 6);
    for (; *p; p++) {
        t++;
    }
    char *w = strpbrk(buf, "yz");
    if (w) *w = 0;
    for (size_t i = 0; i < strlen(buf); i++) {
        t++;
    }
    double frac, ip;
    frac = modf(3.5, &ip);
    for (int i = 0; i < (int)ip + (int)(frac * 2); i++) {
        t++;
    }
    int ex = n;
    frexp(8.0, &ex);
    for (int i = 0; i < ex; i++) {
        t++;
    }
    printf("%d\n", t);
    return 0;
}
