
/*
 * Copyright (C) The detemplate authors
 */


#include "core/scan/chars.h"


/* clang-format off */

#define S (DT_C_SPACE | DT_C_NAME_END | DT_C_ATTR_END | DT_C_VALUE_END)
#define A (DT_C_ALPHA | DT_C_MARKUP)

const uint8_t dt_chars[256] = {
    ['\t'] = S, ['\n'] = S, ['\f'] = S, ['\r'] = S, [' '] = S,
    ['/'] = DT_C_NAME_END | DT_C_ATTR_END | DT_C_MARKUP,
    ['!'] = DT_C_MARKUP, ['?'] = DT_C_MARKUP,
    ['>'] = DT_C_NAME_END | DT_C_ATTR_END | DT_C_VALUE_END,
    ['='] = DT_C_ATTR_END,
    ['A'] = A, ['B'] = A, ['C'] = A, ['D'] = A, ['E'] = A, ['F'] = A,
    ['G'] = A, ['H'] = A, ['I'] = A, ['J'] = A, ['K'] = A, ['L'] = A,
    ['M'] = A, ['N'] = A, ['O'] = A, ['P'] = A, ['Q'] = A, ['R'] = A,
    ['S'] = A, ['T'] = A, ['U'] = A, ['V'] = A, ['W'] = A, ['X'] = A,
    ['Y'] = A, ['Z'] = A, ['a'] = A, ['b'] = A, ['c'] = A, ['d'] = A,
    ['e'] = A, ['f'] = A, ['g'] = A, ['h'] = A, ['i'] = A, ['j'] = A,
    ['k'] = A, ['l'] = A, ['m'] = A, ['n'] = A, ['o'] = A, ['p'] = A,
    ['q'] = A, ['r'] = A, ['s'] = A, ['t'] = A, ['u'] = A, ['v'] = A,
    ['w'] = A, ['x'] = A, ['y'] = A, ['z'] = A,
};

/* clang-format on */
