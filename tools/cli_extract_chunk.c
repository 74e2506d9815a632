
/*
 * Copyright (C) The detemplate authors
 *
 * The sections of a page, as an index of passages takes them: a line of JSONL
 * for each.  They are read from the page's own line, so that they have the
 * same text, and the same headings at the same places.
 */


#include <stdlib.h>

#include "core/base/dt.h"
#include "core/base/tags.h"
#include "cli_extract.h"


#define DT_CHUNK_LEVELS 6 /* of headings */
#define DT_CHUNK_LEAST 20 /* words of a bound */
#define DT_CHUNK_MOST 1000000


/* units that are not divided where they fit into a chunk, largest first */
typedef enum {
    DT_CHUNK_BLOCK = 0, /* lines up to an empty one; a fence or a table */
    DT_CHUNK_GROUP,     /* of such lines, the same, or a line */
    DT_CHUNK_LINE,
    DT_CHUNK_SENTENCE,
    DT_CHUNK_WORD,
    DT_CHUNK_BYTES /* pieces of text without white space */
} dt_chunk_unit_t;

/* a heading; the strings are JSON */
typedef struct {
    dt_str_t text;
    dt_str_t id;
} dt_chunk_heading_t;

typedef struct {
    dt_cli_buf_t *b;
    dt_str_t url;  /* of the page */
    dt_str_t head; /* members that each section has, */
    dt_str_t tail; /* and those at its end */
    const char *text;
    const char *at;   /* a place in the text, */
    uint64_t chars;   /* and its offset */
    unsigned most;    /* words; 0: no bound */
    const char *from; /* the text not written yet: where it begins, */
    uint32_t runs;    /* its words, */
    uint64_t bytes;   /* and its bytes */
    unsigned part;    /* of the section, from 1 */
    dt_chunk_heading_t above[DT_CHUNK_LEVELS + 1];
} dt_chunk_t;


int
dt_extract_chunk_option(dt_extract_t *x)
{
    const char *s = x->args->chunk;
    size_t n = strlen("heading");
    unsigned long words = 0;
    char *end;

    if (s == NULL) {
        return DT_EXIT_OK;
    }

    if (strncmp(s, "heading", n) == 0 && (s[n] == '\0' || s[n] == ':')) {
        words = s[n] ? strtoul(s + n + 1, &end, 10) : 0;

        if (s[n] == '\0'
            || (dt_is_alnum(s[n + 1]) && *end == '\0'
                && words >= DT_CHUNK_LEAST && words <= DT_CHUNK_MOST))
        {
            x->chunk = 1;
            x->chunk_words = (unsigned) words;
        }
    }

    return !x->chunk ? dt_cli_error(DT_EXIT_USAGE,
                                    "--chunk must be heading or heading:WORDS,"
                                    " of %d to %d words",
                                    DT_CHUNK_LEAST, DT_CHUNK_MOST)
           : x->format != DT_FORMAT_JSONL
               ? dt_cli_error(DT_EXIT_USAGE, "--chunk is for --format jsonl")
               : DT_EXIT_OK;
}


/* the words and the bytes of [p, end), as JSON counts them */
static uint32_t
dt_chunk_runs(const char *p, const char *end)
{
    int word = 0;
    uint32_t runs = 0;

    for (; p < end; p++) {
        if ((unsigned char) *p <= ' ') {
            word = 0;

        } else if ((*p & 0x80) || dt_is_alnum(*p)) {
            runs += !word;
            word = 1;
        }
    }

    return runs;
}


/* the value of JSON at p, a string or null; *p gets the place behind it */
static dt_str_t
dt_chunk_value(const char **p, const char *end)
{
    const char *start = *p, *q = start;

    if (q < end && *q == '"') {
        for (q++; q < end && *q != '"'; q++) {
            q += *q == '\\';
        }

        q++;

    } else {
        q += strlen("null");
    }

    *p = q < end ? q : end;

    return (dt_str_t){ (size_t) (*p - start), start };
}


/* adds the fragment of a URL, of an id that is a string of JSON */
static void
dt_chunk_fragment(dt_cli_buf_t *b, dt_str_t id)
{
    static const char plain[] = "-._~!$&'()*+,;=:@/?";
    const char *p = id.data + 1, *end = id.data + id.len - 1;
    char out[8], hex[3] = "";
    unsigned char c;

    dt_cli_buf_add(b, "#", 1);

    for (; p < end; p++) {
        c = (unsigned char) *p;

        if (c == '\\') {
            c = (unsigned char) *++p;

            if (c == 'u') {
                memcpy(hex, p + 3, 2);
                c = (unsigned char) strtoul(hex, NULL, 16);
                p += 4;

            } else if (c == 'n') {
                c = '\n';
            }
        }

        if (dt_is_alnum(c) || (c && strchr(plain, c) != NULL)) {
            dt_cli_buf_add(b, (const char *) &c, 1);

        } else {
            dt_cli_buf_add(b, out, (size_t) (dt_percent_encode(out, c) - out));
        }
    }
}


/* the page's URL, with the id of the section, or of the one around it */
static void
dt_chunk_url(dt_chunk_t *c)
{
    unsigned i;

    /* a string without its second quote */
    dt_cli_buf_add(c->b, "{\"url\":", 7);
    dt_cli_buf_add(c->b, c->url.data, c->url.len - 1);

    for (i = DT_CHUNK_LEVELS; i; i--) {
        if (c->above[i].id.len && c->above[i].id.data[0] == '"') {
            dt_chunk_fragment(c->b, c->above[i].id);
            break;
        }
    }

    dt_cli_buf_add(c->b, "\"", 1);
}


/* writes the text up to an end; white space around it is left out */
static void
dt_chunk_write(dt_chunk_t *c, const char *end)
{
    char out[160];
    unsigned i, n = 0;
    const char *p = c->from;
    uint32_t words;

    c->from = end;
    c->runs = 0;
    c->bytes = 0;

    /* white space that begins a line may be that of code */

    while (p < end && (unsigned char) *p <= ' '
           && (*p == '\n' || (p > c->text && p[-1] != '\n')))
    {
        p++;
    }

    while (end > p && (unsigned char) end[-1] <= ' ') {
        end--;
    }

    if (p == end) {
        return;
    }

    for (; c->at < p; c->at++) {
        c->chars += (*c->at & 0xc0) != 0x80;
    }

    dt_chunk_url(c);
    dt_cli_buf_add(c->b, c->head.data, c->head.len);
    dt_cli_buf_add(c->b, ",\"path\":[", 9);

    for (i = 1; i <= DT_CHUNK_LEVELS; i++) {
        if (c->above[i].text.len) {
            dt_cli_buf_add(c->b, ",", n++ != 0);
            dt_cli_buf_add(c->b, c->above[i].text.data, c->above[i].text.len);
        }
    }

    words = dt_text_words(dt_chunk_runs(p, end), (uint64_t) (end - p));
    n = (unsigned) snprintf(out, sizeof(out),
                            "],\"part\":%u,\"offset\":%llu,\"words\":%u,"
                            "\"tokens\":%llu,\"text\":",
                            ++c->part, (unsigned long long) c->chars, words,
                            (unsigned long long) (end - p) / 4);
    dt_cli_buf_add(c->b, out, n);
    dt_cli_buf_json(c->b, (dt_str_t){ (size_t) (end - p), p });
    dt_cli_buf_add(c->b, c->tail.data, c->tail.len);
}


/* behind the line at p */
static const char *
dt_chunk_line(const char *p, const char *end)
{
    p = memchr(p, '\n', (size_t) (end - p));

    return p != NULL ? p + 1 : end;
}


/* where the words of a line begin, behind the marks of quotes and items */
static const char *
dt_chunk_inside(const char *p, const char *end)
{
    const char *q;

    for (;;) {
        while (p < end && (*p == ' ' || *p == '>')) {
            p++;
        }

        for (q = p; q < end && *q >= '0' && *q <= '9'; q++) {
            /* void */
        }

        q += q > p ? q < end && (*q == '.' || *q == ')')
                   : q < end && (*q == '-' || *q == '*' || *q == '+');

        if (q == p || q >= end || *q != ' ' || dt_is_alnum(q[-1])) {
            return p;
        }

        p = q;
    }
}


/* the length of the marks of a fence that a line begins or ends with, or 0 */
static size_t
dt_chunk_fence(const char *p, const char *end)
{
    size_t n = 0;

    p = dt_chunk_inside(p, end);

    while (p + n < end && (*p == '`' || *p == '~') && p[n] == *p) {
        n++;
    }

    return n >= 3 ? n : 0;
}


/* behind the fence whose first line is at p and has so many marks */
static const char *
dt_chunk_fenced(const char *p, const char *end, size_t marks)
{
    const char *q, *line;
    char mark = *dt_chunk_inside(p, end);

    for (p = dt_chunk_line(p, end); p < end; p = line) {
        line = dt_chunk_line(p, end);
        q = dt_chunk_inside(p, line);

        if (*q == mark && dt_chunk_fence(p, line) >= marks) {
            while (q < line && (*q == mark || (unsigned char) *q <= ' ')) {
                q++;
            }

            if (q == line) {
                return line;
            }
        }
    }

    return end;
}


/* behind the fence, the rows of a table, or the line at p */
static const char *
dt_chunk_group(const char *p, const char *end)
{
    size_t marks = dt_chunk_fence(p, end);
    const char *q = dt_chunk_line(p, end);

    if (marks) {
        return dt_chunk_fenced(p, end, marks);
    }

    if (*dt_chunk_inside(p, q) == '|') {
        while (q < end && *dt_chunk_inside(q, end) == '|') {
            q = dt_chunk_line(q, end);
        }
    }

    return q;
}


/* behind the unit at p */
static const char *
dt_chunk_next(const dt_chunk_t *c, dt_chunk_unit_t unit, const char *p,
              const char *end)
{
    const char *q = p;

    switch (unit) {

    case DT_CHUNK_BLOCK:
        do {
            p = dt_chunk_group(p, end);
        } while (p < end && *dt_chunk_inside(p, end) != '\n');

        while (p < end && *dt_chunk_inside(p, end) == '\n') {
            p = dt_chunk_line(p, end);
        }

        return p;

    case DT_CHUNK_GROUP:
        return dt_chunk_group(p, end);

    case DT_CHUNK_LINE:
        return dt_chunk_line(p, end);

    case DT_CHUNK_SENTENCE:
        for (p++;
             p < end
             && !((unsigned char) *p <= ' ' && strchr(".!?:;", p[-1]) != NULL);
             p++)
        {
            /* void */
        }

        return p;

    case DT_CHUNK_WORD:
        for (p++; p < end && (unsigned char) *p > ' '; p++) {
            /* void */
        }

        return p;

    default: /* DT_CHUNK_BYTES */
        if ((size_t) (end - p) <= (size_t) c->most * DT_WORD_BYTES) {
            return end;
        }

        for (p += (size_t) c->most * DT_WORD_BYTES;
             p > q + 1 && (*p & 0xc0) == 0x80; p--)
        {
            /* void */
        }

        return p;
    }
}


/* writes chunks of [p, end), but for the last one */
static void
dt_chunk_pack(dt_chunk_t *c, const char *p, const char *end,
              dt_chunk_unit_t unit)
{
    const char *next;
    uint32_t runs;
    uint64_t bytes;

    for (; p < end; p = next) {
        next = dt_chunk_next(c, unit, p, end);
        runs = dt_chunk_runs(p, next);
        bytes = (uint64_t) (next - p);

        if (c->most && unit < DT_CHUNK_BYTES
            && dt_text_words(runs, bytes) > c->most) {
            /* its beginning goes with the text before it, such as a heading */
            dt_chunk_pack(c, p, next, unit + 1);
            continue;
        }

        if (c->most
            && dt_text_words(c->runs + runs, c->bytes + bytes) > c->most) {
            dt_chunk_write(c, p);
        }

        c->runs += runs;
        c->bytes += bytes;
    }
}


/* writes the section up to an end */
static void
dt_chunk_section(dt_chunk_t *c, const char *end)
{
    c->part = 0;
    dt_chunk_pack(c, c->from, end, DT_CHUNK_BLOCK);
    dt_chunk_write(c, end);
}


/* a heading at a place of the text: the section before it ends, if it begins
   a line */
static void
dt_chunk_heading(dt_chunk_t *c, unsigned level, dt_chunk_heading_t *heading,
                 const char *p, const char *end)
{
    const char *line = p;

    while (line > c->text && line[-1] != '\n') {
        line--;
    }

    if (level == 0 || level > DT_CHUNK_LEVELS || line < c->from
        || dt_chunk_inside(line, end) < p)
    {
        return;
    }

    dt_chunk_section(c, line);
    c->above[level] = *heading;

    while (level++ < DT_CHUNK_LEVELS) {
        c->above[level] = (dt_chunk_heading_t){ { 0, "" }, { 0, "" } };
    }
}


/* writes the sections of a text whose headings are at p */
static void
dt_chunk_sections(dt_chunk_t *c, const char *p, const char *stop,
                  const char *end)
{
    unsigned level;
    const char *at = c->text;
    uint64_t chars = 0, offset;
    dt_chunk_heading_t heading;

    /* {"level":1,"text":"...","id":null,"offset":0}, */

    while (stop - p > 10 && *p == '{') {
        p += strlen("{\"level\":");
        level = (unsigned) (*p++ - '0');
        p += strlen(",\"text\":");
        heading.text = dt_chunk_value(&p, stop);
        p += strlen(",\"id\":");
        heading.id = dt_chunk_value(&p, stop);
        p += strlen(",\"offset\":");

        if (p >= stop) {
            break;
        }

        offset = strtoull(p, (char **) &p, 10);
        p += strlen("},");

        for (; at < end && (chars < offset || (*at & 0xc0) == 0x80); at++) {
            chars += (*at & 0xc0) != 0x80;
        }

        dt_chunk_heading(c, level, &heading, at, end);
    }

    dt_chunk_section(c, end);
}


/* the string of JSON at p, without its escapes */
static void
dt_chunk_decode(dt_cli_buf_t *b, dt_str_t s)
{
    const char *p = s.data + 1, *end = s.data + s.len - 1, *q;
    char hex[3] = "", c;

    for (; p < end; p = q) {
        q = memchr(p, '\\', (size_t) (end - p));
        q = q != NULL ? q : end;
        dt_cli_buf_add(b, p, (size_t) (q - p));

        if (q == end) {
            break;
        }

        c = q[1] == 'n' ? '\n' : q[1];

        if (c == 'u') {
            memcpy(hex, q + 4, 2);
            c = (char) strtoul(hex, NULL, 16);
            q += 4;
        }

        dt_cli_buf_add(b, &c, 1);
        q += 2;
    }
}


void
dt_extract_chunks(dt_extract_t *x, dt_str_t line, dt_cli_buf_t *b)
{
    static const char text[] = ",\"text\":", headings[] = ",\"headings\":[",
                      version[] = ",\"template\":";
    const char *p, *end = line.data + line.len;
    const char *tail = end - sizeof(version) + 1;
    dt_str_t value;
    dt_chunk_t c;

    memset(&c, 0, sizeof(c));
    c.b = b;
    c.most = x->chunk_words;

    p = line.data + strlen("{\"url\":");
    c.url = dt_chunk_value(&p, end);

    /* no string has a quote without a backslash before it */

    c.head.data = p;
    p = memmem(p, (size_t) (end - p), text, sizeof(text) - 1);
    if (p == NULL) {
        return;
    }

    c.head.len = (size_t) (p - c.head.data);
    p += sizeof(text) - 1;
    value = dt_chunk_value(&p, end);

    while (tail > p && memcmp(tail, version, sizeof(version) - 1) != 0) {
        tail--;
    }

    c.tail = (dt_str_t){ (size_t) (end - tail), tail };

    x->kept.len = 0;
    dt_chunk_decode(&x->kept, value);
    dt_cli_buf_add(&x->kept, "", 1);

    if (x->kept.failed) {
        b->failed = 1;
        return;
    }

    c.text = c.from = c.at = x->kept.data;
    dt_chunk_sections(&c, p + sizeof(headings) - 1, tail,
                      c.text + x->kept.len - 1);
}
