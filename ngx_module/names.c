
/*
 * Copyright (C) The detemplate authors
 */


#include "ngx_module/names.h"


ngx_str_t  ngx_http_dt_statuses[] = {
    ngx_string("OFF"),
    ngx_string("HIT"),
    ngx_string("MISS"),
    ngx_string("STALE"),
    ngx_string("BYPASS"),
    ngx_string("GUARD"),
    ngx_string("ERROR")
};


ngx_str_t  ngx_http_dt_reasons[] = {
    ngx_string(""),
    ngx_string("off"),
    ngx_string("method"),
    ngx_string("status"),
    ngx_string("type"),
    ngx_string("encoding"),
    ngx_string("charset"),
    ngx_string("no-transform"),
    ngx_string("range"),
    ngx_string("signature"),
    ngx_string("bypass"),
    ngx_string("learner"),
    ngx_string("site"),
    ngx_string("no-template"),
    ngx_string("learning"),
    ngx_string("backoff"),
    ngx_string("expired"),
    ngx_string("no-match"),
    ngx_string("guard"),
    ngx_string("too-deep"),
    ngx_string("memory"),
    ngx_string("host"),
    ngx_string("url"),
    ngx_string("query"),
    ngx_string("action"),
    ngx_string("search"),
    ngx_string("private"),
    ngx_string("address"),
    ngx_string("learn"),
    ngx_string("busy"),
    ngx_string("size"),
    ngx_string("slow")
};


ngx_str_t  ngx_http_dt_modes[] = {
    ngx_string("off"),
    ngx_string("strip"),
    ngx_string("annotate"),
    ngx_string("preview"),
    ngx_string("headers"),
    ngx_string("shadow"),
    ngx_string("markdown"),
    ngx_string("text"),
    ngx_string("json"),
    ngx_null_string
};


ngx_str_t  ngx_http_dt_links[] = {
    ngx_string("cut"),
    ngx_string("keep"),
    ngx_null_string
};


ngx_str_t  ngx_http_dt_cut[] = {
    ngx_string("bold"),
    ngx_string("cautious"),
    ngx_null_string
};


ngx_str_t  ngx_http_dt_learn_words[] = {
    ngx_string("off"),
    ngx_string("on"),
    ngx_string("public"),
    ngx_string("all"),
    ngx_string("served"),
    ngx_string("served all"),
    ngx_null_string
};


ngx_str_t  ngx_http_dt_sources[] = {
    ngx_string("learned"),
    ngx_string("redis"),
    ngx_string("snapshot")
};


ngx_str_t  ngx_http_dt_states[] = {
    ngx_string("idle"),
    ngx_string("idle"),
    ngx_string("queued"),
    ngx_string("running"),
    ngx_string("running")
};


ngx_str_t  ngx_http_dt_results[] = {
    ngx_string("done"),
    ngx_string("taken"),
    ngx_string("failed"),
    ngx_string("no-room"),
    ngx_string("stopped")
};


ngx_str_t  ngx_http_dt_dos[] = {
    ngx_string("show"),
    ngx_string("relearn"),
    ngx_string("forget"),
    ngx_string("pin"),
    ngx_string("unpin"),
    ngx_string("restore"),
    ngx_null_string
};


ngx_str_t  ngx_http_dt_dids[] = {
    ngx_string("done"),
    ngx_string("queued"),
    ngx_string("waiting for a page"),
    ngx_string("the site is not known"),
    ngx_string("the site has no such template"),
    ngx_string("failed, see the log")
};


u_char *
ngx_http_dt_choices(u_char *p, u_char *last, ngx_str_t *words)
{
    ngx_uint_t  i;

    for (i = 0; words[i].len; i++) {
        p = ngx_slprintf(p, last, "%s\"%V\"", i ? ", " : "", &words[i]);
    }

    return p;
}


ngx_uint_t
ngx_http_dt_find_word(ngx_str_t *words, ngx_str_t *word)
{
    ngx_uint_t  i;

    for (i = 0; words[i].len; i++) {
        if (ngx_http_dt_equal(&words[i], word)) {
            break;
        }
    }

    return i;
}


void
ngx_http_dt_copy_name(ngx_str_t *to, u_char *buf, ngx_str_t *name)
{
    to->data = buf;
    to->len = name->len;
    ngx_memcpy(buf, name->data, name->len);
}


void
ngx_http_dt_printable(u_char *dst, u_char *src, size_t n)
{
    ngx_cpystrn(dst, src, n);

    for ( /* void */ ; *dst; dst++) {
        if (*dst < 0x20 || *dst > 0x7e) {
            *dst = '?';
        }
    }
}
