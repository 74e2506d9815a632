
/*
 * Copyright (C) The detemplate authors
 *
 * The names are those of HTML 4, and a few of HTML 5 that pages use.  Any
 * other name stays in the text as the reference that it is: renderers of
 * Markdown know all of them.
 */


#include "core/base/reference.h"
#include "core/base/str.h"


typedef struct {
    char name[10];
    uint16_t c;
} dt_reference_t;


/* clang-format off */

/* in the order of their bytes */
static const dt_reference_t dt_references[] = {
    { "AElig", 198 }, { "AMP", 38 }, { "Aacute", 193 }, { "Acirc", 194 },
    { "Agrave", 192 }, { "Alpha", 913 }, { "Aring", 197 }, { "Atilde", 195 },
    { "Auml", 196 }, { "Beta", 914 }, { "COPY", 169 }, { "Ccedil", 199 },
    { "Chi", 935 }, { "Dagger", 8225 }, { "Delta", 916 }, { "ETH", 208 },
    { "Eacute", 201 }, { "Ecirc", 202 }, { "Egrave", 200 }, { "Epsilon", 917 },
    { "Eta", 919 }, { "Euml", 203 }, { "GT", 62 }, { "Gamma", 915 },
    { "Hat", 94 }, { "Iacute", 205 }, { "Icirc", 206 }, { "Igrave", 204 },
    { "Iota", 921 }, { "Iuml", 207 }, { "Kappa", 922 }, { "LT", 60 },
    { "Lambda", 923 }, { "Mu", 924 }, { "NewLine", 10 }, { "Ntilde", 209 },
    { "Nu", 925 }, { "OElig", 338 }, { "Oacute", 211 }, { "Ocirc", 212 },
    { "Ograve", 210 }, { "Omega", 937 }, { "Omicron", 927 }, { "Oslash", 216 },
    { "Otilde", 213 }, { "Ouml", 214 }, { "Phi", 934 }, { "Pi", 928 },
    { "Prime", 8243 }, { "Psi", 936 }, { "QUOT", 34 }, { "REG", 174 },
    { "Rho", 929 }, { "Scaron", 352 }, { "Sigma", 931 }, { "THORN", 222 },
    { "Tab", 9 }, { "Tau", 932 }, { "Theta", 920 }, { "Uacute", 218 },
    { "Ucirc", 219 }, { "Ugrave", 217 }, { "Upsilon", 933 }, { "Uuml", 220 },
    { "Xi", 926 }, { "Yacute", 221 }, { "Yuml", 376 }, { "Zeta", 918 },
    { "aacute", 225 }, { "acirc", 226 }, { "acute", 180 }, { "aelig", 230 },
    { "agrave", 224 }, { "alefsym", 8501 }, { "alpha", 945 }, { "amp", 38 },
    { "and", 8743 }, { "ang", 8736 }, { "apos", 39 }, { "aring", 229 },
    { "ast", 42 }, { "asymp", 8776 }, { "atilde", 227 }, { "auml", 228 },
    { "bdquo", 8222 }, { "beta", 946 }, { "bigstar", 9733 }, { "breve", 728 },
    { "brvbar", 166 }, { "bsol", 92 }, { "bull", 8226 }, { "cap", 8745 },
    { "caron", 711 }, { "ccedil", 231 }, { "cedil", 184 }, { "cent", 162 },
    { "check", 10003 }, { "checkmark", 10003 }, { "chi", 967 },
    { "circ", 710 }, { "clubs", 9827 }, { "colon", 58 }, { "comma", 44 },
    { "commat", 64 }, { "cong", 8773 }, { "copy", 169 }, { "crarr", 8629 },
    { "cross", 10007 }, { "cup", 8746 }, { "curren", 164 }, { "dArr", 8659 },
    { "dagger", 8224 }, { "darr", 8595 }, { "dash", 8208 }, { "deg", 176 },
    { "delta", 948 }, { "diams", 9830 }, { "divide", 247 }, { "dollar", 36 },
    { "eacute", 233 }, { "ecirc", 234 }, { "egrave", 232 }, { "empty", 8709 },
    { "emsp", 8195 }, { "ensp", 8194 }, { "epsilon", 949 }, { "equals", 61 },
    { "equiv", 8801 }, { "eta", 951 }, { "eth", 240 }, { "euml", 235 },
    { "euro", 8364 }, { "excl", 33 }, { "exist", 8707 }, { "female", 9792 },
    { "fflig", 64256 }, { "filig", 64257 }, { "fnof", 402 },
    { "forall", 8704 }, { "frac12", 189 }, { "frac14", 188 },
    { "frac34", 190 }, { "frasl", 8260 }, { "gamma", 947 }, { "ge", 8805 },
    { "grave", 96 }, { "gt", 62 }, { "hArr", 8660 },
    { "harr", 8596 }, { "hearts", 9829 }, { "hellip", 8230 },
    { "hyphen", 8208 }, { "iacute", 237 }, { "icirc", 238 }, { "iexcl", 161 },
    { "igrave", 236 }, { "image", 8465 }, { "infin", 8734 }, { "inodot", 305 },
    { "int", 8747 }, { "iota", 953 }, { "iquest", 191 }, { "isin", 8712 },
    { "iuml", 239 }, { "kappa", 954 }, { "lArr", 8656 }, { "lambda", 955 },
    { "lang", 9001 }, { "laquo", 171 }, { "larr", 8592 }, { "lbrace", 123 },
    { "lbrack", 91 }, { "lceil", 8968 }, { "lcub", 123 }, { "ldquo", 8220 },
    { "le", 8804 }, { "lfloor", 8970 }, { "lowast", 8727 }, { "lowbar", 95 },
    { "loz", 9674 }, { "lpar", 40 }, { "lrm", 8206 }, { "lsaquo", 8249 },
    { "lsqb", 91 }, { "lsquo", 8216 }, { "lt", 60 }, { "macr", 175 },
    { "male", 9794 }, { "mdash", 8212 }, { "micro", 181 }, { "midast", 42 },
    { "middot", 183 }, { "minus", 8722 }, { "mu", 956 }, { "nabla", 8711 },
    { "nbsp", 160 }, { "ndash", 8211 }, { "ne", 8800 }, { "ni", 8715 },
    { "not", 172 }, { "notin", 8713 }, { "nsub", 8836 }, { "ntilde", 241 },
    { "nu", 957 }, { "num", 35 }, { "oacute", 243 }, { "ocirc", 244 },
    { "oelig", 339 }, { "ograve", 242 }, { "oline", 8254 }, { "omega", 969 },
    { "omicron", 959 }, { "oplus", 8853 }, { "or", 8744 }, { "ordf", 170 },
    { "ordm", 186 }, { "oslash", 248 }, { "otilde", 245 }, { "otimes", 8855 },
    { "ouml", 246 }, { "para", 182 }, { "part", 8706 }, { "percnt", 37 },
    { "period", 46 }, { "permil", 8240 }, { "perp", 8869 }, { "phi", 966 },
    { "phone", 9742 }, { "pi", 960 }, { "piv", 982 }, { "plus", 43 },
    { "plusmn", 177 }, { "pound", 163 }, { "prime", 8242 }, { "prod", 8719 },
    { "prop", 8733 }, { "psi", 968 }, { "quest", 63 }, { "quot", 34 },
    { "rArr", 8658 }, { "radic", 8730 }, { "rang", 9002 }, { "raquo", 187 },
    { "rarr", 8594 }, { "rbrace", 125 }, { "rbrack", 93 }, { "rceil", 8969 },
    { "rcub", 125 }, { "rdquo", 8221 }, { "real", 8476 }, { "reg", 174 },
    { "rfloor", 8971 }, { "rho", 961 }, { "rlm", 8207 }, { "rpar", 41 },
    { "rsaquo", 8250 }, { "rsqb", 93 }, { "rsquo", 8217 }, { "sbquo", 8218 },
    { "scaron", 353 }, { "sdot", 8901 }, { "sect", 167 }, { "semi", 59 },
    { "shy", 173 }, { "sigma", 963 }, { "sigmaf", 962 }, { "sim", 8764 },
    { "sol", 47 }, { "spades", 9824 }, { "star", 9734 }, { "sub", 8834 },
    { "sube", 8838 }, { "sum", 8721 }, { "sup", 8835 }, { "sup1", 185 },
    { "sup2", 178 }, { "sup3", 179 }, { "supe", 8839 }, { "szlig", 223 },
    { "tau", 964 }, { "there4", 8756 }, { "theta", 952 }, { "thetasym", 977 },
    { "thinsp", 8201 }, { "thorn", 254 }, { "tilde", 732 }, { "times", 215 },
    { "trade", 8482 }, { "uArr", 8657 }, { "uacute", 250 }, { "uarr", 8593 },
    { "ucirc", 251 }, { "ugrave", 249 }, { "uml", 168 }, { "upsih", 978 },
    { "upsilon", 965 }, { "uuml", 252 }, { "verbar", 124 }, { "vert", 124 },
    { "weierp", 8472 }, { "xi", 958 }, { "yacute", 253 }, { "yen", 165 },
    { "yuml", 255 }, { "zeta", 950 }, { "zwj", 8205 }, { "zwnj", 8204 },};

/* clang-format on */


static const uint16_t dt_windows[32] = {
    0x20ac, 0x81,   0x201a, 0x192,  0x201e, 0x2026, 0x2020, 0x2021,
    0x2c6,  0x2030, 0x160,  0x2039, 0x152,  0x8d,   0x17d,  0x8f,
    0x90,   0x2018, 0x2019, 0x201c, 0x201d, 0x2022, 0x2013, 0x2014,
    0x2dc,  0x2122, 0x161,  0x203a, 0x153,  0x9d,   0x17e,  0x178,
};


uint32_t
dt_windows_char(unsigned char c)
{
    return c >= 0x80 && c < 0xa0 ? dt_windows[c - 0x80] : c;
}


char *
dt_utf8_put(char *p, uint32_t c)
{
    if (c < 0x80) {
        *p++ = (char) c;

    } else if (c < 0x800) {
        *p++ = (char) (0xc0 | c >> 6);
        *p++ = (char) (0x80 | (c & 0x3f));

    } else if (c < 0x10000) {
        *p++ = (char) (0xe0 | c >> 12);
        *p++ = (char) (0x80 | (c >> 6 & 0x3f));
        *p++ = (char) (0x80 | (c & 0x3f));

    } else {
        *p++ = (char) (0xf0 | c >> 18);
        *p++ = (char) (0x80 | (c >> 12 & 0x3f));
        *p++ = (char) (0x80 | (c >> 6 & 0x3f));
        *p++ = (char) (0x80 | (c & 0x3f));
    }

    return p;
}


int
dt_utf8_get(const char *p, const char *end, uint32_t *c)
{
    static const uint32_t least[] = { 0, 0, 0x80, 0x800, 0x10000 };
    const unsigned char *u = (const unsigned char *) p;
    int i, n;

    n = u[0] < 0x80                   ? 1
        : u[0] >= 0xc2 && u[0] < 0xe0 ? 2
        : u[0] >= 0xe0 && u[0] < 0xf0 ? 3
        : u[0] >= 0xf0 && u[0] < 0xf5 ? 4
                                      : 0;

    *c = n > 1 ? u[0] & (0x7fu >> n) : u[0];

    for (i = 1; i < n; i++) {
        if (p + i == end) {
            return -1;
        }

        if ((u[i] & 0xc0) != 0x80) {
            return 0;
        }

        *c = *c << 6 | (u[i] & 0x3fu);
    }

    return n && *c >= least[n] && *c < 0x110000 && (*c & 0xfffff800) != 0xd800
               ? n
               : 0;
}


static int
dt_is_digit(char c)
{
    return c >= '0' && c <= '9';
}


static int
dt_is_letter(char c)
{
    return (c | 0x20) >= 'a' && (c | 0x20) <= 'z';
}


/* the digits at p, behind "&#" */
static int
dt_reference_number(const char *start, const char *p, const char *end,
                    int last, uint32_t *c)
{
    int digit, base = 10;
    uint32_t n = 0;
    const char *digits;

    if (p < end && (*p | 0x20) == 'x') {
        base = 16;
        p++;
    }

    for (digits = p; p < end; p++) {
        digit = dt_hex(*p);
        if (digit < 0 || digit >= base) {
            break;
        }

        n = n < 0x110000 ? n * (uint32_t) base + (uint32_t) digit : n;
    }

    if (p == end && !last) {
        return -1;
    }

    if (p == digits) {
        return 0;
    }

    *c = n >= 0x80 && n < 0xa0 ? dt_windows_char((unsigned char) n)
         : n == 0 || n >= 0x110000 || (n & 0xfffff800) == 0xd800 ? 0xfffd
                                                                 : n;

    return (int) (p - start) + (p < end && *p == ';');
}


/* the character that a name of len bytes stands for, or 0 */
static uint32_t
dt_reference_find(const char *name, size_t len)
{
    int rc;
    size_t i, low = 0, high = sizeof(dt_references) / sizeof(*dt_references);

    while (low < high) {
        i = (low + high) / 2;
        rc = strncmp(name, dt_references[i].name, len);

        if (rc == 0 && dt_references[i].name[len] == '\0') {
            return dt_references[i].c;
        }

        if (rc > 0) {
            low = i + 1;

        } else {
            high = i;
        }
    }

    return 0;
}


int
dt_reference_like(const char *p, const char *end)
{
    const char *q;

    for (q = p + 1;
         q < end && (dt_is_letter(*q) || dt_is_digit(*q) || *q == '#'); q++)
    {
        /* void */
    }

    return q > p + 1 && q < end && *q == ';';
}


int
dt_reference_read(const char *p, const char *end, int value, int last,
                  uint32_t *c)
{
    size_t len, n;
    const char *name = p + 1;

    if (end - p > DT_REFERENCE_MAX) {
        end = p + DT_REFERENCE_MAX;
        last = 1;
    }

    if (name < end && *name == '#') {
        return dt_reference_number(p, name + 1, end, last, c);
    }

    for (p = name; p < end && (dt_is_letter(*p) || dt_is_digit(*p)); p++) {
        /* void */
    }

    if (p == end && !last) {
        return -1;
    }

    len = (size_t) (p - name);

    if (p < end && *p == ';' && len) {
        *c = len < sizeof(dt_references->name) ? dt_reference_find(name, len)
                                               : 0;
        if (*c) {
            return (int) len + 2;
        }
    }

    /* without a semicolon, those of Latin-1 are references as well */

    for (n = len < 6 ? len : 6; n > 1; n--) {
        *c = dt_reference_find(name, n);

        if ((*c >= 0xa0 && *c < 0x100) || (*c && strchr("&<>\"", (int) *c))) {
            return value && (n < len || (p < end && *p == '=')) ? 0
                                                                : (int) n + 1;
        }
    }

    *c = 0;

    return len && p < end && *p == ';' ? (int) len + 2 : 0;
}
