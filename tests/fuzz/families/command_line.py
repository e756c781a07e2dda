"""Families of what a run is given: words read with a base, changed or moved; options; the
environment; standard input."""

from __future__ import annotations

from .draft import Draft, Lines, indented

_HEX = ("10 3", "1F 2", "0x10 5", "010 7", "7 11", "-12 4")


def bases(d: Draft) -> Lines:
    """Numbers in other bases than ten."""
    d.reads = False
    d.words += list(_HEX)
    base = d.pick("16", "0", "8", "2", "36", "10", "argc + 7")
    kind = d.pick("long", "int", "unsigned long", "short")
    call = d.pick("strtol", "strtoul", "strtoll", "strtoull")
    at = d.integer(1, 2)
    form = d.pick("%d", "%i", "%2d", "%*c%d", "%d:", " %d")
    read = d.pick(
        [f"{kind} n = ({kind}){call}(argv[{at}], {d.pick('NULL', '&end')}, {base});"],
        [f"{kind} n = ({kind}){call}(argv[{at}], &end, {base});", "n += end[0] == 'F';"],
        [f'unsigned n = 0; sscanf(argv[{at}], "{d.pick("%x", "%o", "%u", "%X")}", &n);'],
        [f'int n = 1; sscanf(argv[{at}], "{form}", &n);'],
        [f'short n = 0; sscanf(argv[{at}], "%hi", &n);'],
        [f'signed char n = 0; sscanf(argv[{at}], "{d.pick("%hhd", "%hhi", "%hhx")}", (void *)&n);'],
        ['int n = 0, o = 0; sscanf(argv[1], "%d%n", &n, &o); n += o;'],
        [f"int n = (int)strtod(argv[{at}], NULL);"],
        [f"int n = (int){d.pick('', '10 * ')}atof(argv[{at}]);"],
        [f"int n = argv[{at}][0] - '0';"],
        [f"int n = 0; for (char *p = argv[{at}]; *p; p++) n = n * 10 + (*p - '0');"],
    )
    if "for (" in read[0]:
        read = ["int n = 0;", *d.loop(f"char *p = argv[{at}]; *p; p++", ["n = n * 10 + (*p & 7);"])]
    if d.is_cxx:
        d.include("string", "sstream")
        read = d.pick(
            [x.replace("(void *)", "(signed char *)") for x in read],
            [f"int n = std::stoi(argv[{at}]{d.pick('', ', nullptr, 16', ', nullptr, 0')});"],
            [f"std::istringstream in(argv[{at}]); int n = 0; in {d.pick('', '>> std::hex ')}>> n;"],
            [f"std::string w(argv[{at}]); int n = (int)w.size();"],
        )
    d.include("string.h")
    start = ["char *end = argv[0];", *read]
    if "&end" not in " ".join(read):
        start = read
    return [*start, *d.plain(d.pick("n", "n", "n / 2", "n + 1"))]


_ENDS = (
    *("5", "0", "-1", "127", "128", "-128", "-129", "255", "256", "261", "32767", "32768"),
    *("65535", "65541", "2147483647", "2147483648", "2147483653", "4294967295", "4294967296"),
    *("4294967301", "-4294967291", "-2147483649", "9223372036854775807", "9223372036854775813"),
    *("18446744073709551615", "18446744073709551621", "-9223372036854775808"),
    "-18446744073709551611",
)
_TYPES = (
    *("signed char", "unsigned char", "short", "unsigned short", "int", "unsigned", "long"),
    *("unsigned long", "long long", "size_t"),
)
_SCANNED = {
    "hhd": "signed char",
    "hhu": "unsigned char",
    "hd": "short",
    "hu": "unsigned short",
    "d": "int",
    "u": "unsigned",
    "ld": "long",
    "lu": "unsigned long",
    "lld": "long long",
    "zu": "size_t",
    "i": "int",
    "hi": "short",
    "li": "long",
    "x": "unsigned",
    "hhx": "unsigned char",
    "lo": "unsigned long",
}
_PARSED = ("stoi", "stol", "stoul", "stoll", "stoull")


def ranges(d: Draft) -> Lines:
    """Words that are just as large as what they are read into, larger, or negative; read once, or
    twice into different types."""
    d.reads = False
    d.include("string.h", "inttypes.h")
    readings = [_reading(d, "n")]
    if d.chance(3):
        readings.append(_reading(d, "k"))
    lines: Lines = []
    for name, (_, text) in zip("nk", readings, strict=False):
        i = d.new("i")
        kind = d.pick(readings[0][0], "int", "long")
        bound = d.pick(name, name, f"(int){name}", f"(unsigned char){name}", f"{name} + 1")
        head = d.pick(
            f"{kind} {i} = 0; {i} < {bound}; {i}++", f"long {i} = {bound}; {i} > 0; {i}--"
        )
        lines += [*text, *d.loop(head, ["s++;"])]
    text = "\n".join(lines)
    bits = 32 if "atoi(" in text else 64 if "ato" in text else 99  # beyond, ato* are undefined
    d.words += [w for w in d.rng.sample(_ENDS, 16) if -(2**bits) <= 2 * int(w) < 2**bits]
    return lines


def _reading(d: Draft, name: str) -> tuple[str, Lines]:
    """The type of a variable, and what reads the first word into it."""
    kind = d.pick(*_TYPES)
    cast = d.pick("", "", f"({d.pick(*_TYPES)})")
    form = d.integer(0, 8 if d.is_cxx else 5)
    if form <= 1:
        call = f"{d.pick('atoi', 'atol', 'atoll')}(argv[1])"
    elif form <= 3:
        called = d.pick("strtol", "strtoul", "strtoll", "strtoull", "strtoimax", "strtoumax")
        call = f"{called}(argv[1], {d.pick('NULL', '0')}, {d.pick(10, 10, 0)})"
    elif form <= 5:
        conversion = d.pick(*_SCANNED)
        kind = _SCANNED[conversion]
        return kind, [f"{kind} {name} = 0;", f'sscanf(argv[1], "%{conversion}", &{name});']
    elif form == 6:
        d.include("sstream")
        kind = d.pick(*(t for t in _TYPES if "char" not in t))
        stream = d.new("in")
        return kind, [
            f"std::istringstream {stream}(argv[1]);",
            f"{kind} {name} = 0;",
            f"{stream} >> {name};",
        ]
    elif form == 7:
        d.include("charconv")
        return kind, [
            f"{kind} {name} = 0;",
            f"std::from_chars(argv[1], argv[1] + strlen(argv[1]), {name});",
        ]
    else:
        d.include("string")
        call = f"std::{d.pick(*_PARSED)}(argv[1])"
    return kind, [f"{kind} {name} = ({kind}){cast}{call};"]


def words(d: Draft) -> Lines:
    """Words of the command line that are changed, exchanged, or reached by pointers that moved."""
    d.reads = False
    d.words += ["4 3", "8 20", "15 6 2", "-3 4", "7 0 9"]
    d.include("string.h", "unistd.h")
    tail = d.pick(d.plain("n"), [*d.plain("n"), *d.plain("n / 2")])
    kind = d.integer(0, 21)
    swap = d.own("swap")
    if kind == 20:
        d.top(
            f"static void {swap}(char **a, char **b) {{", "    char *t = *a; *a = *b; *b = t;", "}"
        )
    text = (
        ["argv[1][0] = '3';", "int n = atoi(argv[1]);"],
        ["argv[1] = argv[2];", "int n = atoi(argv[1]);"],
        ["int n = atoi(*++argv);"],
        ["argv += 1;", "int n = atoi(argv[0]) + atoi(argv[1]);"],
        ["argc--, argv++;", "int n = argc > 0 ? atoi(argv[0]) : 2;"],
        ["int n = atoi(argv[1] + 1);"],
        ["char *p = argv[1];", "p++;", "int n = atoi(p);"],
        ["char *p = argv[2];", "while (*p == '-') {", "    p++;", "}", "int n = atoi(p);"],
        ['char *p = strtok(argv[1], "23");', "int n = p ? atoi(p) : 1;"],
        [
            "memcpy(argv[1], argv[2], strlen(argv[2]) > strlen(argv[1]) ? strlen(argv[1]) :"
            " strlen(argv[2]));",
            "int n = atoi(argv[1]);",
        ],
        ["char *copy = strdup(argv[1]);", "copy[0] = '2';", "int n = atoi(copy);", "free(copy);"],
        ["char copy[32];", 'snprintf(copy, sizeof copy, "1%s", argv[1]);', "int n = atoi(copy);"],
        ["int n = atoi(argv[argc - 1]);"],
        ["int k = argc > 3 ? 3 : 1;", "int n = atoi(argv[k]);"],
        ["int n = 0;", *d.loop("int k = 1; k < argc; k++", ["n += atoi(argv[k]);"])],
        ["int n = 0;", *d.loop("*++argv", ["n = atoi(*argv);"])],
        ["char **words = &argv[1];", "int n = atoi(words[0]), m = atoi(words[1]);", "n += m;"],
        ["char **last = argv + argc;", "int n = atoi(last[-1]);"],
        ["int n = 0;", *d.loop("--argc > 0", ["n += atoi(argv[argc]);"])],
        ["optind = 2;", "int n = atoi(argv[optind]);"],
        [f"{swap}(&argv[1], &argv[2]);", "int n = atoi(argv[1]);"],
        ["char *w[2] = {argv[2], argv[1]};", "int n = atoi(w[0]);"],
    )[kind]
    return [*text, *tail]


def options(d: Draft) -> Lines:
    """Options: getopt, loops that compare words, subcommands."""
    d.reads = False
    d.words += ["-n 4", "-n 9 -m 3", "-v 5", "", "7", "run 6", "-n"]
    d.include("string.h", "unistd.h", "getopt.h")
    kind = d.integer(0, 5)
    value = d.pick("atoi", "atoi", "(int)strlen")
    start = ["int n = 3, m = 2, verbose = 0;"]
    if kind == 0:
        case = "{"
        start += [
            "int c;",
            *d.loop(
                '(c = getopt(argc, argv, "n:m:v")) != -1',
                [
                    f"switch (c) {case}",
                    f"case 'n': n = {value}(optarg); break;",
                    "case 'm': m = atoi(optarg); break;",
                    "case 'v': verbose++; break;",
                    f"default: {d.pick('exit(1)', 'return 2', 'break', 'exit(0)')};",
                    "}",
                ],
            ),
            *d.maybe(["if (optind < argc) m = atoi(argv[optind]);"]),
        ]
    elif kind in (1, 2):
        step = d.pick("n = atoi(argv[++i]);", "{ n = atoi(argv[i + 1]); i++; }")
        start += d.loop(
            "int i = 1; i < argc; i++",
            [
                f'if (strcmp(argv[i], "-n") == 0 && i + 1 < argc) {step}',
                'else if (strncmp(argv[i], "-m", 2) == 0) m = 5;',
                f"else if (argv[i][0] == '-') {d.pick('verbose++', 'exit(2)', 'return 1')};",
                *d.maybe(["else n = atoi(argv[i]);"]),
            ],
        )
    elif kind == 3:
        start += [
            f'if (argc > {d.integer(1, 2)} && strcmp(argv[1], "run") == 0) {{',
            *indented(d.plain("argc > 2 ? atoi(argv[2]) : 4")),
            "} else {",
            *indented(d.plain("2")),
            "}",
        ]
    elif kind == 4:
        start += d.loop(
            "argc > 1 && argv[1][0] == '-'", ["if (argv[1][1] == 'n') n = 8;", "argc--;", "argv++;"]
        )
        start += ["if (argc > 1) m = atoi(argv[1]);"]
    else:
        k = d.integer(1, 3)
        start += [
            f"if (argc {d.pick('>=', '>', '==', '!=')} {k + 1})",
            f"    n = atoi(argv[argc > {k} ? {k} : 0]);",
            f"if (argc > {k}) {{",
            *indented(d.plain("n")),
            "}",
        ]
    return [*start, *d.plain("n"), *d.plain("m + verbose")]


def counts_of_words(d: Draft) -> Lines:
    """argc in conditions, bounds and checks: `argc >= k + 1`, `argc - 1 < k`, `--argc`."""
    d.reads = False
    d.words += ["", "4", "4 3", "5 6 7", "1 2 3 4"]
    k = d.integer(1, 3)
    test = d.pick(
        f"argc >= {k + 1}",
        f"argc > {k}",
        f"argc - 1 >= {k}",
        f"argc == {k + 1}",
        f"argc != {k + 1}",
        f"argc < {k + 1}",
        f"argc <= {k}",
        f"{k} < argc",
        f"!(argc < {k + 1})",
        f"argc - {k} > 0",
        f"argv[{k}] != NULL",
        f"argv[1] && argc > {k}",
    )
    end = d.pick(
        "exit(1);", "return 1;", "return 0;", 'fprintf(stderr, "usage\\n"); exit(2);', "abort();"
    )
    shape = d.integer(0, 5)
    if shape == 0:
        lines = [f"if (!({test})) {{", f"    {end}", "}", *d.plain("argc"), *d.plain("4")]
    elif shape == 1:
        lines = [
            f"if ({test}) {{",
            *indented(d.plain("5")),
            "} else {",
            *indented(d.plain("2")),
            "}",
        ]
    elif shape == 2:
        lines = [f"int n = {test} ? 7 : 3;", *d.plain("n")]
    elif shape == 3:
        lines = d.loop(
            d.pick(
                "int i = 1; i < argc; i++",
                "int i = argc; i > 1; i--",
                "--argc > 0",
                "int i = 0; argv[i]; i++",
                "argc-- > 1",
            )
        )
    elif shape == 4:
        lines = [
            f"int n = 3; if ({test}) n = argc > {k} ? atoi(argv[{k}]) : 6;",
            *d.plain("n"),
            f"if ({test}) {{",
            *indented(d.plain("3")),
            "}",
        ]
    else:
        f = d.function(
            [f"if (!({test})) {end.replace('return 1', 'return 9')}", *d.plain("argc")],
            "int argc, char **argv",
        )
        lines = [f"s += {f}(argc, argv);", *d.plain("3")]
    return lines


def inputs(d: Draft) -> Lines:
    """Numbers from the environment and from standard input."""
    d.include("string.h")
    d.words = ["4 3", "8 2"] if d.reads else []
    kind = d.integer(0, 9)
    text = (
        ['int k = getenv("FUZZ_N") ? atoi(getenv("FUZZ_N")) : 2;'],
        ['char *e = getenv("FUZZ_M");', "int k = e ? (int)strtol(e, NULL, 10) : n;"],
        ['int k = 1; if (scanf("%d", &k) != 1) k = 2;'],
        ['int k = 1, l = 0; if (scanf("%d %d", &k, &l) == 2) k += l;'],
        ["char line[64];", "int k = fgets(line, sizeof line, stdin) ? atoi(line) : 1;"],
        ["int k = getchar() - '0';"],
        ["int k = 0;", *d.loop("getchar() != '\\n' && k < 50", ["k++;"])],
        ["char line[64] = {0};", "int k = (int)fread(line, 1, 8, stdin);"],
        ['int k = 3; scanf("%d", &n);'],
        ['int k = 3; sscanf("12 5", "%d", &k);'],
    )[kind]
    if d.is_cxx and d.chance(2):
        d.include("iostream", "string")
        text = d.pick(
            ["int k = 0; std::cin >> k;"],
            ["std::string line; std::getline(std::cin, line); int k = (int)line.size();"],
            ["std::cin >> n; int k = 2;"],
        )
    return [*text, *d.plain(d.pick("k", "k + n", "n")), *d.maybe(d.plain("k"))]
