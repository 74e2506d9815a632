
/*
 * Copyright (C) The detemplate authors
 *
 * Decisions that bench/accuracy switches off, to see what they are worth.
 * Only bench/simulate is built with DT_ABLATION and has the switches;
 * elsewhere each of them is 0, and no code is left of it.
 */


#ifndef DT_ABLATE_H_INCLUDED_
#define DT_ABLATE_H_INCLUDED_


#ifdef DT_ABLATION

typedef struct {
    unsigned copies;    /* the key page is compared with copies of it */
    unsigned order;     /* simulate_order() says which links are followed */
    unsigned published; /* the detector alone decides */
    unsigned unlinked;  /* candidates need not link to one another */
} dt_ablation_t;

extern dt_ablation_t dt_ablation;

#define DT_ABLATE(name) dt_ablation.name

#else

#define DT_ABLATE(name) 0

#endif


#endif /* DT_ABLATE_H_INCLUDED_ */
