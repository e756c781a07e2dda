/* args: 5 3 | 0 0 | 2 4 | 9 2 : fork in RAII class, lambda in the child, exception in the child */
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <stdexcept>
#include <sys/wait.h>
#include <unistd.h>
static long total;
class Child {
    pid_t pid;
  public:
    explicit Child(const std::function<void()> &body) : pid(fork()) {
        if (pid == 0) {
            try {
                body();
            } catch (const std::exception &) {
                for (int i = 0; i < 3; i++) {
                    total++;
                }
                _exit(1);
            }
            _exit(0);
        }
    }
    int join() { int status = 0; waitpid(pid, &status, 0); return WEXITSTATUS(status); }
};
int main(int argc, char **argv) {
    int n = atoi(argv[1]), m = atoi(argv[2]);
    Child a([n] {
        for (int i = 0; i < n; i++) {
            total++;
        }
    });
    int code = a.join();
    for (int i = 0; i < 2 + code; i++) {
        total++;
    }
    Child b([m] {
        for (int i = 0; i < m; i++) {
            if (i == 2) throw std::runtime_error("two");
            total++;
        }
    });
    int failed = b.join();
    for (int i = 0; i < 5 * failed + 1; i++) {
        total++;
    }
    std::printf("%ld\n", total);
}
