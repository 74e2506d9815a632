
/*
 * Copyright (C) The detemplate authors
 *
 * Templates come from other machines: whatever the bytes, the check says yes
 * only to what can be used, and what it said yes to is used.
 */


#include "core/template/table.h"
#include "core/template/template.h"
#include "site.h"
#include "test.h"


#define LIST                                                                  \
    "<ul><li><a href=/1>1 #</a><li><a href=/2>2 #</a><li><a href=/3>3 #</a>"  \
    "<li><a href=/4>4 #</a><li><a href=/5>5 #</a><li><a href=/6>6 #</a></ul>" \
    "<ol><li><a href=/1>7 #</a><li><a href=/2>8 #</a><li><a href=/3>9 #</a>"  \
    "<li><a href=/4>0 #</a><li><a href=/5>a #</a><li><a href=/6>b #</a></ol>"

#define TEXT                                                                  \
    "<nav><a href=/a>#</a> <a href=/b>%</a></nav><h1>@</h1><p>@ text</p>"     \
    "<footer>%</footer>" LIST


static char *good;
static size_t good_len;
static uint32_t serve_size;

static buf_t page;


/* a copy of its own size, so that reading behind it is seen */
static dt_status_t
check(const char *data, size_t len, const char **why)
{
    char *copy;
    dt_status_t rc;

    copy = malloc(len ? len : 1);
    memcpy(copy, data, len);
    rc = dt_template_check(copy, len, why);
    free(copy);

    return rc;
}


/* computes the checksums again, as far as the sizes make sense */
static void
fix(char *t, size_t len)
{
    dt_template_head_t h;

    memcpy(&h, t, sizeof(h));

    if (h.serve_size >= sizeof(h) && h.serve_size <= len) {
        h.rest_sum = dt_template_sum(t + h.serve_size, len - h.serve_size);
        memcpy(t, &h, sizeof(h));
        h.serve_sum = dt_template_sum(t + DT_TEMPLATE_SUMMED,
                                      h.serve_size - DT_TEMPLATE_SUMMED);
        memcpy(t, &h, sizeof(h));
    }
}


/* does with a template all that is ever done with one */
static void
use(const void *t, size_t len)
{
    size_t n;
    dt_arena_t *a;
    dt_rules_t rules;
    result_t r;
    dt_evidence_t *c;
    dt_compiled_t out;
    dt_template_info_t info;
    dt_compile_info_t ci = { .now = 2000 };

    dt_template_info(t, &info);
    (void) dt_template_low(t, 10);

    site_rewrite(t, DT_STRIP, &page, &r);
    result_free(&r);
    site_rewrite(t, DT_ANNOTATE, &page, &r);
    result_free(&r);

    if (len != info.size) {
        return;
    }

    a = dt_arena_create((size_t) 64 << 20);
    dt_rules_init(&rules);
    rules.remain = 0;
    c = dt_evidence_create(t, &rules, 1, a);

    if (c != NULL) {
        (void) site_evidence(c, a, "http://" SITE_HOST "/dir/new.html",
                             (dt_str_t){ page.len, page.data }, 2000);

        if (dt_compile(c, &ci, &out) == DT_OK) {
            n = out.len;
            (void) check(out.bytes, n, NULL);
        }

        free(out.bytes);
    }

    dt_arena_destroy(a);
}


static void
test_sound(void)
{
    const char *why = "";
    dt_template_info_t info;
    result_t r, cut;

    is_int(check(good, good_len, &why), DT_OK, "sound: whole");
    ok(why == NULL, "sound: nothing wrong");
    is_int(check(good, serve_size, NULL), DT_OK, "sound: cut for serving");

    dt_template_info(good, &info);
    is_int(info.version, 1, "info: version");
    is_int(info.size, (long long) good_len, "info: size");
    is_int(info.pages, SITE_PAGES, "info: pages");
    is_int(info.learned_at, 1000, "info: learned at");
    is_int(info.created_at, 1000, "info: created at");
    ok(info.seed == SITE_SEED, "info: seed");
    ok(info.patterns > 3, "info: patterns");

    site_rewrite(good, DT_STRIP, &page, &r);
    is_str(r.out.data, r.out.len, "<body><h1>/own9/</h1><p>/own9/ text</p>",
           "sound: it works");

    /* with nothing behind it */
    char *serve = malloc(serve_size);

    memcpy(serve, good, serve_size);
    site_rewrite(serve, DT_STRIP, &page, &cut);
    ok(result_eq(&r, &cut), "sound: cut for serving it works as well");
    free(serve);

    is_int(info.typical, 10 + 5 + 12 * 6, "info: words on a usual page");

    result_free(&r);
    result_free(&cut);
}


static void
test_bytes(void)
{
    int bad = 0;
    char *t;
    size_t i, n;
    unsigned bit;

    for (n = 0; n < good_len; n++) {
        bad += n != serve_size && check(good, n, NULL) == DT_OK;
    }

    is_int(bad, 0, "truncated: at every length");

    t = malloc(good_len + 8);
    memcpy(t, good, good_len);
    memset(t + good_len, 0, 8);
    ok(check(t, good_len + 8, NULL) != DT_OK, "too long");

    for (i = 0, bad = 0; i < good_len; i++) {
        for (bit = 1; bit < 256; bit <<= 3) {
            t[i] = (char) (t[i] ^ (char) bit);
            bad += check(t, good_len, NULL) == DT_OK;
            t[i] = (char) (t[i] ^ (char) bit);
        }
    }

    is_int(bad, 0, "a bit flipped: in every byte");

    /* the whole's size, and the sum of what is cut off, are not looked at */

    for (i = 0, bad = 0; i < serve_size; i++) {
        if ((i >= offsetof(dt_template_head_t, size)
             && i < offsetof(dt_template_head_t, serve_size))
            || (i >= offsetof(dt_template_head_t, rest_sum)
                && i < offsetof(dt_template_head_t, path_bits)))
        {
            continue;
        }

        t[i] = (char) ~t[i];
        bad += check(t, serve_size, NULL) == DT_OK;
        t[i] = (char) ~t[i];
    }

    is_int(bad, 0, "a byte flipped: cut for serving");
    free(t);
}


#define HEAD(member)                                                          \
    offsetof(dt_template_head_t, member),                                     \
        sizeof(((dt_template_head_t *) 0)->member)


static const struct {
    const char *name;
    size_t off;
    size_t size;
    uint64_t value;
    const char *why;
} heads[] = {
    { "foreign byte order", HEAD(magic), 0x4454504c, "magic" },
    { "format 0", HEAD(format), 0, "format" },
    { "a later format", HEAD(format), DT_TEMPLATE_FORMAT + 1, "format" },
    { "a larger head", HEAD(head_size), sizeof(dt_template_head_t) + 8,
      "format" },
    { "size 0", HEAD(size), 0, "size" },
    { "size over the bound", HEAD(size), DT_TEMPLATE_MAX + 8, "size" },
    { "the largest size", HEAD(size), UINT32_MAX, "size" },
    { "nothing to serve", HEAD(serve_size), 0, "size" },
    { "serve size of the head", HEAD(serve_size), sizeof(dt_template_head_t),
      NULL },
    { "serve size over size", HEAD(serve_size), UINT32_MAX, "size" },
    { "serve size not aligned", HEAD(serve_size), 1001, "size" },
    { "no path bits", HEAD(path_bits), 0, "table" },
    { "path bits over the bound", HEAD(path_bits), DT_BITS_MAX + 1, "table" },
    { "path bits to shift by", HEAD(path_bits), 64, "table" },
    { "path bits", HEAD(path_bits), UINT32_MAX, "table" },
    { "many path bits", HEAD(path_bits), DT_BITS_MAX, "table" },
    { "no node bits", HEAD(node_bits), 0, "table" },
    { "node bits over the bound", HEAD(node_bits), DT_BITS_MAX + 1, "table" },
    { "node bits", HEAD(node_bits), UINT32_MAX, "table" },
    { "many node bits", HEAD(node_bits), DT_BITS_MAX, "table" },
    { "hardly any first bits", HEAD(first_bits), DT_FIRST_LEAST - 1, "table" },
    { "first bits over the bound", HEAD(first_bits), DT_FIRST_BITS + 1,
      "table" },
    { "first bits to shift by", HEAD(first_bits), 64, "table" },
    { "many first bits", HEAD(first_bits), DT_FIRST_BITS, "table" },
    { "version 0", HEAD(version), 0, "version" },
    { "paths in the head", HEAD(paths), 0, "table" },
    { "paths behind the end", HEAD(paths), 0x7ffffff8, "table" },
    { "paths at the last offset", HEAD(paths), UINT32_MAX - 7, "table" },
    { "paths not aligned", HEAD(paths), sizeof(dt_template_head_t) + 4,
      "table" },
    { "nodes in the head", HEAD(nodes), 8, "table" },
    { "nodes behind the end", HEAD(nodes), 0x7ffffff8, "table" },
    { "nodes not aligned", HEAD(nodes), sizeof(dt_template_head_t) + 1,
      "table" },
    { "info in the head", HEAD(info), 0, "table" },
    { "info behind the end", HEAD(info), UINT32_MAX - 7, "table" },
    { "more patterns than nodes", HEAD(npatterns), UINT32_MAX, "table" },
    { "65 pages", HEAD(npages), 65, "size" },
    { "pages without end", HEAD(npages), UINT32_MAX, "size" },
    { "places without end", HEAD(nplaces), UINT32_MAX, "size" },
    { "a place more", HEAD(nplaces), 1, "size" },
    { "patterns without end", HEAD(nevidence), UINT32_MAX, "size" },
    { "a pattern less", HEAD(nevidence), 1, "size" },
    { "keys without end", HEAD(nseen), UINT32_MAX, "size" },
};


/* wrong numbers under a checksum that is right */
static void
test_heads(void)
{
    char *t, name[64];
    size_t i, k;
    const char *why;

    t = malloc(good_len);

    for (i = 0; i < sizeof(heads) / sizeof(heads[0]); i++) {
        memcpy(t, good, good_len);

        for (k = 0; k < heads[i].size; k++) {
            t[heads[i].off + k] = (char) (heads[i].value >> 8 * k);
        }

        fix(t, good_len);
        why = "ok";

        if (check(t, good_len, &why) == DT_OK) {
            why = "ok";
        }

        snprintf(name, sizeof(name), "head: %s", heads[i].name);

        if (heads[i].why == NULL) {
            ok(strcmp(why, "ok") != 0, name);

        } else {
            is_str(why, strlen(why), heads[i].why, name);
        }
    }

    free(t);
}


/* each number of the head at its bounds, and what passes is used */
static void
test_numbers(void)
{
    char *t;
    size_t off, i;
    int passed = 0;
    uint32_t was, now;

    t = malloc(good_len);

    for (off = offsetof(dt_template_head_t, path_bits);
         off < sizeof(dt_template_head_t); off += 4)
    {
        for (i = 0; i < 36; i++) {
            memcpy(t, good, good_len);
            memcpy(&was, t + off, 4);
            now = i < 32    ? (uint32_t) 1 << i
                  : i == 32 ? 0
                  : i == 33 ? UINT32_MAX
                  : i == 34 ? was + 8
                            : was - 8;
            memcpy(t + off, &now, 4);
            fix(t, good_len);

            if (check(t, good_len, NULL) == DT_OK) {
                passed++;
                use(t, good_len);
            }
        }
    }

    ok(passed > 0, "numbers: what passes the check can be used");
    free(t);
}


/* the slots of a table from first on are taken, as many as given */
static const char *
taken(uint32_t table, unsigned bits, uint32_t first, uint32_t n)
{
    char *t;
    uint64_t key;
    const char *why = "ok";
    uint32_t i, slots = (uint32_t) 1 << bits;

    t = malloc(good_len);
    memcpy(t, good, good_len);
    memset(t + table, 0, slots * sizeof(key));

    for (i = 0; i < n; i++) {
        key = i + 1;
        memcpy(t + table + (first + i) % slots * sizeof(key), &key,
               sizeof(key));
    }

    memset(t + offsetof(dt_template_head_t, npatterns), 0, 4);
    fix(t, good_len);

    if (check(t, good_len, &why) == DT_OK) {
        use(t, good_len);
        why = "ok";
    }

    free(t);

    return why;
}


static void
table_is(const char *got, const char *want, const char *name)
{
    is_str(got, strlen(got), want, name);
}


static void
test_tables(void)
{
    dt_template_head_t h;
    int big = 0;
    uint32_t slots;

    memcpy(&h, good, sizeof(h));

    for (unsigned i = 0; i < 2; i++) {
        uint32_t table = i ? h.nodes : h.paths;
        unsigned bits = i ? h.node_bits : h.path_bits;

        slots = (uint32_t) 1 << bits;
        big |= slots / 2 > DT_PROBE_MAX;
        table_is(taken(table, bits, 0, 0), "ok", "table: empty");
        table_is(taken(table, bits, 0, slots), "table", "table: full");
        table_is(taken(table, bits, 0, slots / 2 + 1), "table",
                 "table: more than half full");
        table_is(taken(table, bits, slots - 3, 6), "ok",
                 "table: a run around the end");

        if (slots / 2 > DT_PROBE_MAX) {
            table_is(taken(table, bits, 0, DT_PROBE_MAX), "ok",
                     "table: the longest run");
            table_is(taken(table, bits, 0, DT_PROBE_MAX + 1), "table",
                     "table: a run too long");
            table_is(taken(table, bits, slots - 30, DT_PROBE_MAX + 1), "table",
                     "table: a run too long around the end");
        }
    }

    ok(big, "table: large enough for long runs");
}


/* whether a template is taken in which a number of size bytes is another one,
   under a checksum that is right */
static int
taken_with(char *t, void *at, uint32_t value, size_t size)
{
    uint32_t was = 0;
    dt_status_t rc;

    memcpy(&was, at, size);
    memcpy(at, &value, size);
    fix(t, good_len);
    rc = check(t, good_len, NULL);
    memcpy(at, &was, size);

    return rc == DT_OK;
}


/* evidence that points outside */
static void
test_evidence(void)
{
    int places_bad = 0, first_bad = 0, groups_bad = 0, circles = 0, used = 0;
    char *t = malloc(good_len);
    uint32_t i;
    dt_template_head_t h;
    uint16_t *at;
    dt_pattern_t *e;
    dt_evidence_place_t *places;

    memcpy(&h, good, sizeof(h));
    memcpy(t, good, good_len);
    places =
        (void *) (t + h.serve_size + h.npages * sizeof(dt_evidence_page_t));
    e = (void *) (places + h.nplaces);
    at = (void *) ((uint32_t *) (e + h.nevidence) + h.nseen);

    for (i = 0; i < h.nevidence; i++) {
        places_bad += taken_with(t, &e[i].place, h.nplaces, 2)
                      + taken_with(t, &e[i].place, UINT16_MAX, 2)
                      + taken_with(t, &e[i].named, h.nplaces, 2);
        first_bad += taken_with(t, &e[i].first, 1 << DT_FIRST_BITS, 2)
                     + taken_with(t, &e[i].first, UINT16_MAX, 2);
    }

    for (i = 0; i < h.nseen; i++) {
        groups_bad += taken_with(t, &at[i], h.nevidence, 2);
    }

    for (i = 0; i < h.nplaces; i++) {
        circles += taken_with(t, &places[i].parent, i, 4)
                   + taken_with(t, &places[i].parent, UINT32_MAX - 1, 4)
                   + taken_with(t, &places[i].kind, DT_PLACE_NEW, 4);
    }

    is_int(places_bad, 0, "evidence: a place that is not there");
    is_int(first_bad, 0, "evidence: how a text begins, outside of the table");
    ok(h.nseen > 0, "evidence: some patterns are in groups");
    is_int(groups_bad, 0, "evidence: a group that is not there");
    is_int(circles, 0, "evidence: places in a circle, or outside");

    /* numbers that mean something, all of them at once */

    for (i = 0; i < h.nevidence; i++) {
        e[i].pages = UINT64_MAX;
        e[i].words = UINT16_MAX;
        e[i].flags = UINT8_MAX;
        e[i].count = UINT8_MAX;
        e[i].now = UINT8_MAX;
    }

    fix(t, good_len);

    if (check(t, good_len, NULL) == DT_OK) {
        use(t, good_len);
        used = 1;
    }

    ok(1, used ? "evidence: pages that are not there: passed, and used"
               : "evidence: pages that are not there: refused");

    /* patterns and places that are all the same */

    memcpy(t, good, good_len);

    for (i = 0; i < h.nevidence; i++) {
        e[i].key = e[0].key;
    }

    for (i = 0; i < h.nplaces; i++) {
        places[i].path = places[0].path;
    }

    fix(t, good_len);
    is_int(check(t, good_len, NULL), DT_OK, "evidence: one key, many times");
    use(t, good_len);
    free(t);
}


/* each byte that has a part in what is cut is in the tag, and no other */
int
main(void)
{
    dt_template_info_t info;

    good = site_learn(TEXT, sizeof(TEXT) - 1, &good_len);

    if (!ok(good != NULL, "learned")) {
        return done();
    }

    dt_template_info(good, &info);
    serve_size = info.serve_size;
    site_page(&page, TEXT, sizeof(TEXT) - 1, SITE_PAGES + 1);

    test_sound();
    test_bytes();
    test_heads();
    test_numbers();
    test_tables();
    test_evidence();

    free(good);
    buf_free(&page);

    return done();
}
