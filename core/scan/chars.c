
/*
 * Copyright (C) The detemplate authors
 */


#include "core/scan/chars.h"


/* clang-format off */

#define WHITE (DT_C_SPACE | DT_C_NAME_END | DT_C_ATTR_END | DT_C_VALUE_END)
#define ALPHA (DT_C_ALPHA | DT_C_MARKUP | DT_C_WORD)
#define SIGN DT_C_SIGN
#define WORD DT_C_WORD

const uint8_t dt_chars[256] = {
    ['\t'] = WHITE, ['\n'] = WHITE, ['\f'] = WHITE, ['\r'] = WHITE,
    [' '] = WHITE,
    ['/'] = DT_C_NAME_END | DT_C_ATTR_END | DT_C_MARKUP | SIGN,
    ['!'] = DT_C_MARKUP, ['?'] = DT_C_MARKUP,
    ['>'] = DT_C_NAME_END | DT_C_ATTR_END | DT_C_VALUE_END | SIGN,
    ['='] = DT_C_ATTR_END,
    ['|'] = SIGN, ['['] = SIGN, [']'] = SIGN, ['<'] = SIGN, ['*'] = SIGN,
    ['#'] = SIGN, ['&'] = SIGN, [';'] = SIGN,
    ['0'] = WORD, ['1'] = WORD, ['2'] = WORD, ['3'] = WORD, ['4'] = WORD,
    ['5'] = WORD, ['6'] = WORD, ['7'] = WORD, ['8'] = WORD, ['9'] = WORD,
    ['A'] = ALPHA, ['B'] = ALPHA, ['C'] = ALPHA, ['D'] = ALPHA, ['E'] = ALPHA,
    ['F'] = ALPHA, ['G'] = ALPHA, ['H'] = ALPHA, ['I'] = ALPHA, ['J'] = ALPHA,
    ['K'] = ALPHA, ['L'] = ALPHA, ['M'] = ALPHA, ['N'] = ALPHA, ['O'] = ALPHA,
    ['P'] = ALPHA, ['Q'] = ALPHA, ['R'] = ALPHA, ['S'] = ALPHA, ['T'] = ALPHA,
    ['U'] = ALPHA, ['V'] = ALPHA, ['W'] = ALPHA, ['X'] = ALPHA, ['Y'] = ALPHA,
    ['Z'] = ALPHA, ['a'] = ALPHA, ['b'] = ALPHA, ['c'] = ALPHA, ['d'] = ALPHA,
    ['e'] = ALPHA, ['f'] = ALPHA, ['g'] = ALPHA, ['h'] = ALPHA, ['i'] = ALPHA,
    ['j'] = ALPHA, ['k'] = ALPHA, ['l'] = ALPHA, ['m'] = ALPHA, ['n'] = ALPHA,
    ['o'] = ALPHA, ['p'] = ALPHA, ['q'] = ALPHA, ['r'] = ALPHA, ['s'] = ALPHA,
    ['t'] = ALPHA, ['u'] = ALPHA, ['v'] = ALPHA, ['w'] = ALPHA, ['x'] = ALPHA,
    ['y'] = ALPHA, ['z'] = ALPHA,
    [0x80 ... 0xff] = WORD | SIGN,
};

/* clang-format on */
