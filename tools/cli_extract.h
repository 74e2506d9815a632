
/*
 * Copyright (C) The detemplate authors
 *
 * The command extract: pages of folders and web archives without their
 * template.  cli_extract_source.c notes where pages are and reads them,
 * cli_extract_walk.c finds those of a folder and cli_extract_base.c their
 * URLs, cli_extract_learn.c learns a site and cli_extract_split.c divides it,
 * cli_extract_page.c converts a page and cli_extract_chunk.c divides that,
 * cli_extract_out.c writes files, cli_extract_work.c shares work among
 * processes, cli_extract_report.c says how it went, and cli_extract.c puts
 * them together.
 */


#ifndef DT_CLI_EXTRACT_H_INCLUDED_
#define DT_CLI_EXTRACT_H_INCLUDED_


#include <signal.h>
#include <sys/types.h>

#include "core/base/arena.h"
#include "core/base/index.h"
#include "core/scan/hand.h"
#include "core/web/url.h"
#include "core/web/warc.h"
#include "cli.h"


#define DT_EXTRACT_PAGES 4000000           /* of all sources, at most */
#define DT_EXTRACT_PAGE ((size_t) 4 << 20) /* bytes of a page, at most */
#define DT_EXTRACT_PATH 3072 /* bytes of a name below a folder, at most */
#define DT_EXTRACT_LIST ".detemplate-extract" /* names of the files written */
#define DT_EXTRACT_TEMPLATES 8 /* of sites that a process keeps at once */

/* a page shows little of a template if so many of it would be below the usual
 */
#define DT_EXTRACT_LITTLE 4

#define DT_EXTRACT_XHTML                                                      \
    "application/xhtml+xml" /* the type of pages in XML                       \
                             */


/* bytes that grow */
typedef struct {
    char *data;
    size_t len;
    size_t size;
    int failed; /* there was no memory */
} dt_cli_buf_t;

/* Makes room for len more bytes; 0: there is no memory. */
int dt_cli_buf_room(dt_cli_buf_t *b, size_t len);
void dt_cli_buf_add(dt_cli_buf_t *b, const char *p, size_t len);

/* Adds s, which is UTF-8, as a JSON string with its quotes. */
void dt_cli_buf_json(dt_cli_buf_t *b, dt_str_t s);


typedef enum {
    DT_SOURCE_DIR = 0,
    DT_SOURCE_WARC,
    DT_SOURCE_LIST,
    DT_SOURCE_PAGE
} dt_from_t;

typedef struct {
    const char *name; /* as given */
    char label[80];   /* of a directory: the last part, and no other's */
    dt_from_t kind;
    int fd;        /* of the directory, or of the file in which it is, */
    uint64_t key;  /* of its path, by which a later run knows it */
    uint64_t base; /* from this offset */
    uint64_t len;  /* with so many bytes; 0: all of it */
} dt_extract_source_t;

typedef struct {
    dt_warc_at_t at; /* in a WARC */
    uint32_t url;    /* in the strings */
    uint32_t path;   /* of its file, in the strings; 0: it is in a WARC */
    uint32_t source;
    uint32_t site;
    uint32_t next;    /* page of its site, or UINT32_MAX */
    uint8_t spelling; /* of its output's name, see dt_extract_name() */
    uint8_t wrote;    /* its file is there */
    uint8_t shows;    /* see dt_extract_old_t */
} dt_extract_page_t;

typedef struct {
    uint64_t key;
    uint32_t name; /* in the strings */
    uint32_t first;
    uint32_t last;
    uint32_t npages;
    off_t at; /* of its template in the file of templates */
    size_t len;
    char reason[24];   /* why it has none */
    uint32_t whole;    /* the site that it was divided from, or itself */
    uint64_t hash;     /* of all pages of the whole, and of the options */
    unsigned same : 1; /* of the whole: it is as it was in an earlier run */
} dt_extract_site_t;

/* a file that an earlier run wrote */
typedef struct {
    uint64_t key;
    uint32_t name;   /* in the strings */
    uint64_t site;   /* the hash of its site, or 0: unknown */
    uint64_t source; /* key of the source */
    unsigned shows;  /* dt_shows_t, and 4: its site has a template */
} dt_extract_old_t;

/* a page of a site while this is learned */
typedef struct {
    const char *url;
    uint32_t page;
    uint32_t words;       /* of template that it shows */
    unsigned nothing : 1; /* it shows hardly any */
} dt_extract_shown_t;

/* how many words of its site's template a page shows */
typedef enum { DT_SHOWS_USUAL = 0, DT_SHOWS_LITTLE, DT_SHOWS_NONE } dt_shows_t;

/* pages whose URLs are the same up to the last slash */
typedef struct {
    uint64_t key;
    uint32_t url; /* of one of them, in the strings */
    uint32_t n;
    uint32_t none;
    uint32_t little;
} dt_extract_dir_t;

/* a template that is in memory */
typedef struct {
    uint32_t site; /* plus 1; 0: none */
    void *bytes;
    unsigned version;
} dt_extract_template_t;


typedef enum {
    DT_FORMAT_MARKDOWN = 0,
    DT_FORMAT_TEXT,
    DT_FORMAT_HTML,
    DT_FORMAT_JSONL
} dt_format_t;

typedef struct {
    const dt_cli_args_t *args;
    dt_format_t format;
    dt_hand_t hand_list;
    const dt_hand_t *hand;
    int by_directory;
    int chunk;            /* an object of JSONL is a section, */
    unsigned chunk_words; /* and has no more words, if this is not 0 */

    dt_arena_t *arena; /* of the indexes */
    dt_extract_source_t *sources;
    unsigned nsources;
    unsigned max_sources;
    dt_warc_t *warc; /* of one source, */
    unsigned reads;  /* which is this */
    unsigned ndirs;
    dt_extract_page_t *pages;
    uint32_t npages;
    uint32_t max_pages;
    uint64_t noted; /* pages, those that replaced earlier ones included */
    dt_cli_buf_t strings;
    dt_index_t sites; /* dt_extract_site_t */
    uint32_t *todo;   /* numbers of the sites that are learned now, */
    uint32_t ntodo;
    uint32_t *later; /* and of those that are after these */
    uint32_t nlater;
    uint32_t max_later;
    uint32_t nlearned;
    dt_index_t urls; /* of pages of archives and lists */

    int templates; /* the file of all templates */
    off_t templates_end;
    dt_extract_template_t loaded[DT_EXTRACT_TEMPLATES];
    unsigned turn; /* which of these goes next */

    int out;       /* the directory, or -1 */
    dev_t out_dev; /* which is not read as a source */
    ino_t out_ino;
    dt_index_t old; /* dt_extract_old_t */
    FILE *manifest;
    uint64_t options;    /* the hash of all options that change output */
    uint32_t kept_files; /* those that were not changed, */
    uint32_t gone;       /* and those whose page is gone */
    FILE *lines;         /* JSONL */

    dt_cli_buf_t kept; /* a rewritten page, */
    dt_cli_buf_t text; /* and its text */

    uint32_t written;
    uint32_t left;     /* pages and files that were left out */
    uint32_t shows[3]; /* pages, by dt_shows_t */
    dt_index_t dirs;   /* dt_extract_dir_t */
    uint32_t due;      /* pages of sites that have a template, */
    uint32_t bare;     /* and those of them that show none of it */
    uint64_t bytes;
    uint64_t removed;
    double began;  /* seconds */
    double learns; /* of which so many were for learning */
    double phase;  /* when learning or converting began */
    double shown;  /* when progress was, or -1: it is not wanted */
    int events;    /* it is JSON */
    int code;      /* the command's exit code so far */
} dt_extract_t;


/* the result of an item of work: a site that was learned, or a page */
typedef struct {
    uint32_t len;  /* bytes that are given out with it, */
    uint32_t dirs; /* of which so many are names of directories */
    uint32_t in;
    uint32_t removed;
    uint8_t written;
    uint8_t left;
    uint8_t shows; /* dt_shows_t */
    uint8_t due;   /* its site has a template */
    uint8_t kept;  /* its file is as it was */
    uint64_t hash; /* of its bytes */
    uint8_t full;  /* it was left out, and so would be all others */
    char reason[24];
    char what[256]; /* a message, or empty */
} dt_extract_done_t;


/* set when a signal asks the command to end */
extern volatile sig_atomic_t dt_extract_stop;

const char *dt_extract_string(const dt_extract_t *x, uint32_t at);

/* the time in seconds */
double dt_extract_now(void);

/* the name of a page in messages: its file, or its URL in an archive */
const char *dt_extract_called(const dt_extract_t *x,
                              const dt_extract_page_t *page);
dt_extract_site_t *dt_extract_site(const dt_extract_t *x, uint32_t i);

/*
 * Shows how far the command is, on a terminal or as JSON: n of all items are
 * done; all is 0 when nobody knows it.
 */
void dt_extract_progress(dt_extract_t *x, const char *what, uint32_t n,
                         uint32_t all);

/* Removes the line of progress, for another one. */
void dt_extract_clear(const dt_extract_t *x);

/* Reports that something was left out. */
void dt_extract_left(dt_extract_t *x, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* Counts the result of a page; 0: there is no memory. */
int dt_extract_count(dt_extract_t *x, const dt_extract_page_t *page,
                     const dt_extract_done_t *done);

/* Reports the results of all pages at the end; returns an exit code. */
int dt_extract_summary(dt_extract_t *x, double took);

/* Opens a source and notes its pages; returns an exit code. */
int dt_extract_open(dt_extract_t *x, const char *name);

/* The same for a list; "-" is standard input. */
int dt_extract_open_list(dt_extract_t *x, const char *name);

/* Notes the pages of a file, which x->reads or a part of it is; returns an
   exit code. */
int dt_extract_open_warc(dt_extract_t *x, unsigned i);

/* Notes the pages of the archives in a ZIP; returns an exit code. */
int dt_extract_open_zip(dt_extract_t *x, unsigned i);

/* Adds a source that has a file, or NULL: there is no memory.  Pointers to
   sources become invalid. */
dt_extract_source_t *dt_extract_source(dt_extract_t *x, const char *name,
                                       int fd);

/* Reads a source's file, for which x->reads is set; a dt_warc_read_pt. */
ssize_t dt_extract_pread(void *data, uint64_t offset, char *buf, size_t size);

/* Returns a file without a name; -1: it cannot be made. */
int dt_extract_tmpfile(void);

/* Writes to a file; not 0: it cannot be written. */
int dt_extract_write(int fd, const char *p, size_t len);

/* Notes the pages of a folder that is open; returns an exit code. */
int dt_extract_open_dir(dt_extract_t *x, dt_extract_source_t *s);

/* Notes a page; path is NULL for one of a WARC.  Returns an exit code. */
int dt_extract_add(dt_extract_t *x, const char *url, const char *path,
                   dt_warc_at_t at);

/* Reads a page; returns a static word that says why it cannot be, or NULL. */
const char *dt_extract_read(dt_extract_t *x, const dt_extract_page_t *page,
                            dt_arena_t *a, dt_str_t *body, dt_str_t *type);

/*
 * Says which URLs the files of a folder stand for, and notes these.  names has
 * n paths below the folder, in order.  Returns an exit code.
 */
int dt_extract_files(dt_extract_t *x, char **names, size_t n, int httrack);

/* Whether a file's first bytes are those of a page. */
int dt_extract_is_html(const char *p, size_t len);

/* Learns site number i of those to do; b gets its template, and then the names
   of the directories that have none of it. */
void dt_extract_learn(void *data, uint32_t i, dt_cli_buf_t *b,
                      dt_extract_done_t *done);

/*
 * Adds the directories of which n pages show hardly anything of the template
 * to b, each with a NUL: paths with a slash at both ends, none within another.
 * Returns the number of bytes.  Puts the pages into the order of their paths.
 */
uint32_t dt_extract_split(dt_extract_shown_t *pages, size_t n,
                          dt_cli_buf_t *b);

/* Makes sites of their own of these directories of site number i.  All of its
   parts are to be learned later. */
dt_status_t dt_extract_divide(dt_extract_t *x, uint32_t i, const char *dirs,
                              size_t len);

/* Adds a page to site number i, or to the site of a name. */
void dt_extract_append(dt_extract_t *x, uint32_t page, uint32_t i);
dt_status_t dt_extract_join(dt_extract_t *x, uint32_t page, const char *name);

/* Notes that a site is to be learned; 0: there is no memory. */
int dt_extract_later(dt_extract_t *x, uint32_t i);

/* Returns the words of a template that a page shows; tmpl may be NULL.  Of one
   that cannot be read they are those of any page. */
uint32_t dt_extract_words(dt_extract_t *x, const dt_extract_page_t *page,
                          const void *tmpl);

/* Converts page number i: writes its file, or b gets its line. */
void dt_extract_convert(void *data, uint32_t i, dt_cli_buf_t *b,
                        dt_extract_done_t *done);

/* Reads the value of --chunk; returns an exit code. */
int dt_extract_chunk_option(dt_extract_t *x);

/* Divides a page's line of JSONL into those of its sections, which b gets. */
void dt_extract_chunks(dt_extract_t *x, dt_str_t line, dt_cli_buf_t *b);

/*
 * Writes the name of a page's output to buf, of DT_EXTRACT_PATH bytes.  Of
 * spelling 1 it keeps the extension of the page.  0: it can have none.
 */
size_t dt_extract_name(const dt_extract_t *x, const dt_extract_page_t *page,
                       unsigned spelling, char *buf);

/* Opens the output; returns an exit code. */
int dt_extract_out_open(dt_extract_t *x);

/* Decides on names, once all pages are known; returns an exit code. */
int dt_extract_out_names(dt_extract_t *x);

/*
 * Writes a file below the output, unless it is there with the same bytes.
 * Returns 1, or 2: it is; or 0, and errno says why not.
 */
int dt_extract_out_write(dt_extract_t *x, const char *name, const char *p,
                         size_t len);

/* Opens the folder of a file below the output, and makes it if need be; no
   link is followed.  Sets *last to the name in it.  -1: errno says why not. */
int dt_extract_folder(int out, const char *name, const char **last);

/* Reads the list and the state of an earlier run; 0: they cannot be read. */
int dt_extract_again_read(dt_extract_t *x);

/* Finds the sites that are as they were in that run; returns an exit code. */
int dt_extract_again_compare(dt_extract_t *x, unsigned processes);

/* Whether a page is that of the earlier run, as all of its site; then *done is
   its result. */
int dt_extract_again_is(const dt_extract_t *x, const dt_extract_page_t *page,
                        dt_extract_done_t *done);

/* Adds the hash of a page to that of its site. */
void dt_extract_again_page(dt_extract_t *x, const dt_extract_page_t *page,
                           uint64_t hash);

/* Removes files whose pages are gone, and notes all others for a later run;
   0: it cannot. */
int dt_extract_again_write(dt_extract_t *x);

/* Returns the hash of a page, as it is converted. */
uint64_t dt_extract_again_hash(const dt_extract_t *x,
                               const dt_extract_page_t *page, dt_str_t body,
                               dt_str_t type);

/* Copies a string; returns where it is. */
uint32_t dt_extract_keep(dt_extract_t *x, const char *s);

/* Ends the output; ok: it is complete.  Returns an exit code. */
int dt_extract_out_close(dt_extract_t *x, int ok);


typedef void (*dt_extract_work_pt)(void *data, uint32_t i, dt_cli_buf_t *b,
                                   dt_extract_done_t *done);
typedef void (*dt_extract_sink_pt)(void *data, uint32_t i, const char *p,
                                   const dt_extract_done_t *done);

/*
 * Has n items worked on by so many processes, part by part, and gives the
 * results to sink in the order of the items.  Returns an exit code.
 */
int dt_extract_work(unsigned processes, uint32_t n, uint32_t part,
                    dt_extract_work_pt work, dt_extract_sink_pt sink,
                    void *data);


#endif /* DT_CLI_EXTRACT_H_INCLUDED_ */
