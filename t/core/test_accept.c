
/*
 * Copyright (C) The detemplate authors
 *
 * Fields Accept, and the form of a page that each gets.
 */


#include "core/text/accept.h"
#include "test.h"


#define HTML DT_FORM_HTML
#define MARKDOWN DT_FORM_MARKDOWN
#define TEXT DT_FORM_TEXT


static const struct {
    const char *accept;
    dt_form_t form;
    dt_form_t with_text; /* where plain text may be had as well */
} rows[] = {
    { "", HTML, HTML },
    { "*/*", HTML, HTML },
    { "text/*", HTML, HTML },
    { "text/html", HTML, HTML },
    { "text/markdown", MARKDOWN, MARKDOWN },
    { "TEXT/Markdown", MARKDOWN, MARKDOWN },
    { "text/markdown, */*", MARKDOWN, MARKDOWN },
    { "text/markdown, text/*", MARKDOWN, MARKDOWN },
    { "text/markdown, text/html", MARKDOWN, MARKDOWN },
    { "text/html, text/markdown", MARKDOWN, MARKDOWN },
    { "text/markdown, text/html;q=0.9, */*;q=0.8", MARKDOWN, MARKDOWN },
    { "text/markdown;q=0.9, text/html;q=0.8", MARKDOWN, MARKDOWN },
    { "text/markdown;q=0.8, text/html;q=0.9", HTML, HTML },
    { "text/markdown;q=0.9, text/html", HTML, HTML },
    { "text/markdown;q=0.9, */*", HTML, HTML },
    { "text/markdown;q=0.9, */*;q=0.1", MARKDOWN, MARKDOWN },
    { "text/markdown;q=0.5, */*;q=0.9, text/html;q=0.1", MARKDOWN, MARKDOWN },
    { "text/markdown;q=0.5, text/*;q=0.9, */*;q=0.1", HTML, HTML },
    { "text/markdown;q=0.5, text/*;q=0.4, */*;q=0.9", MARKDOWN, MARKDOWN },
    { "text/markdown;q=0", HTML, HTML },
    { "text/markdown;q=0.000, text/html;q=0", HTML, HTML },
    { "text/markdown;q=0.001, text/html;q=0", MARKDOWN, MARKDOWN },
    { "text/markdown;q=1.000, text/html;q=1", MARKDOWN, MARKDOWN },
    { "text/markdown;q=1.001", HTML, HTML },
    { "text/markdown;q=x", HTML, HTML },
    { "text/markdown;q=0.1234", HTML, HTML },
    { "text/markdown ; q=0.7 , text/html ; q=0.6", MARKDOWN, MARKDOWN },
    { "text/markdown;charset=utf-8", MARKDOWN, MARKDOWN },
    { "text/markdown;q=0, text/markdown;variant=GFM", MARKDOWN, MARKDOWN },
    { "text/markdown, text/markdown;variant=GFM;q=0", HTML, HTML },
    { "text/markdown;variant=\"a,b;q=0\";q=1", MARKDOWN, MARKDOWN },
    { "text/html;level=1;q=0.2, text/html;q=0.9, text/markdown;q=0.5", HTML,
      HTML },
    { "text/markdown;level=1", HTML, HTML },
    { "text/plain", HTML, TEXT },
    { "text/plain, */*;q=0.5", HTML, TEXT },
    { "text/plain, text/markdown", MARKDOWN, MARKDOWN },
    { "text/plain, text/markdown;q=0.9", MARKDOWN, TEXT },
    { "text/plain;q=0.9, text/html, text/markdown;q=0.9", HTML, HTML },
    { "text/markdown-x, application/markdown", HTML, HTML },
    { ",, text/markdown ,,", MARKDOWN, MARKDOWN },
    { "text/markdown;;q=0", HTML, HTML },
    { "text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,"
      "image/webp,*/*;q=0.8",
      HTML, HTML },
    { "text/markdown, text/html, */*", MARKDOWN, MARKDOWN },
    { "application/json, text/markdown;q=0.1", MARKDOWN, MARKDOWN },
};


/* JSON, where it and text, or all, may be chosen */
static void
json_ok(void)
{
    static const struct {
        const char *field;
        unsigned some;
        unsigned all;
    } forms[] = {
        { "application/json", DT_FORM_JSON, DT_FORM_JSON },
        { "application/json, text/plain, */*", DT_FORM_JSON, DT_FORM_JSON },
        { "Application/JSON;q=.5", HTML, HTML },
        { "application/json;q=0.5", DT_FORM_JSON, DT_FORM_JSON },
        { "application/json;q=0", HTML, HTML },
        { "application/json;q=0.5, text/html", HTML, HTML },
        { "application/json;q=0.5, text/plain", TEXT, TEXT },
        { "application/json, text/markdown", DT_FORM_JSON, MARKDOWN },
        { "application/json;profile=a", HTML, HTML },
        { "application/ld+json, application/*", HTML, HTML },
    };
    size_t i;
    dt_accept_t a;

    for (i = 0; i < sizeof(forms) / sizeof(forms[0]); i++) {
        memset(&a, 0, sizeof(dt_accept_t));
        dt_accept_add(&a, dt_cstr(forms[i].field));
        ok(dt_accept_choose(&a, 1 << DT_FORM_JSON | 1 << TEXT) == forms[i].some
               && dt_accept_choose(&a, ~0u) == forms[i].all,
           forms[i].field);
    }
}


int
main(void)
{
    size_t i;
    dt_accept_t a;

    for (i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
        memset(&a, 0, sizeof(a));
        dt_accept_add(&a, dt_cstr(rows[i].accept));
        ok(dt_accept_choose(&a, 1 << MARKDOWN) == rows[i].form
               && dt_accept_choose(&a, 1 << MARKDOWN | 1 << TEXT)
                      == rows[i].with_text,
           rows[i].accept);
    }

    memset(&a, 0, sizeof(a));
    dt_accept_add(&a, dt_str("text/html;q=0.5"));
    dt_accept_add(&a, dt_str("text/markdown"));
    is_int(dt_accept_choose(&a, 1 << MARKDOWN), MARKDOWN, "two fields");
    json_ok();

    return done();
}
