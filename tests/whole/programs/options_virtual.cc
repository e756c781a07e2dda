/* -n 3 -g 5: n=3 g=5 | -g 4 -n 2: n=2 g=4 */
#include <cstdio>
#include <cstdlib>
#include <iostream>
#include <string>
#include <unistd.h>
#include <vector>

class Options {
  protected:
    int argc_;
    char **argv_;
    int g = 2;
    std::vector<std::string> help_ = {"-g scale", "-n trials"};

  public:
    Options(int argc, char **argv) : argc_(argc), argv_(argv) {}
    virtual ~Options() {}

    void parse() {
        int c;
        while ((c = getopt(argc_, argv_, "g:n:h")) != -1) { /* options */
            handle(c);
        }
    }

    virtual void handle(int c) {
        if (c == 'g')
            g = atoi(optarg);
        else if (c == 'h')
            usage();
    }

    void usage() {
        for (std::string line : help_)
            std::cout << line << "\n";
        std::exit(0);
    }

    int scale() const { return g; }
};

class Trials : public Options {
    int n = 16;

  public:
    Trials(int argc, char **argv) : Options(argc, argv) {}

    void handle(int c) override {
        if (c == 'n')
            n = atoi(optarg);
        else
            Options::handle(c);
    }

    int trials() const { return n; }
};

int main(int argc, char **argv) {
    Trials options(argc, argv);
    options.parse();
    int size = options.scale();
    double s = 0;
    for (int t = 0; t < options.trials(); t++) { /* n */
        for (int i = 0; i < size * size; i++) { /* n*g**2 */
            s += i * t;
        }
    }
    std::printf("%g\n", s);
}
