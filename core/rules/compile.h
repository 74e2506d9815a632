
/*
 * Copyright (C) The detemplate authors
 *
 * Compiles evidence into the bytes of a template.
 */


#ifndef DT_COMPILE_H_INCLUDED_
#define DT_COMPILE_H_INCLUDED_


#include "core/rules/evidence.h"


/* facts about the learning */
typedef struct {
    uint32_t candidates;
    uint32_t loads;         /* of this learning */
    int64_t now;            /* seconds */
    const dt_record_t *key; /* records of the key page, for the coverage */
    size_t nkey;
} dt_compile_info_t;

typedef struct {
    void *bytes; /* malloc()ed; the caller frees them; NULL: none */
    size_t len;
    uint32_t patterns;     /* number of active patterns */
    uint32_t guarded;      /* number of patterns that the guard keeps */
    uint32_t words;        /* of the key page */
    uint32_t static_words; /* those of them that are template */
    uint32_t static_bytes; /* bytes of the key page that are template */
    uint64_t shown;        /* words of template on the pages of this learning
                            */
} dt_compiled_t;

/*
 * Decides about the evidence and writes a template into out.  DT_DECLINED:
 * nothing is template, and the bytes contain evidence only.  DT_ENOMEM: there
 * is no memory; DT_ELIMIT: the template would be larger than DT_TEMPLATE_MAX.
 * After these two there are no bytes.
 */
dt_status_t dt_compile(dt_evidence_t *ev, const dt_compile_info_t *info,
                       dt_compiled_t *out);


#endif /* DT_COMPILE_H_INCLUDED_ */
