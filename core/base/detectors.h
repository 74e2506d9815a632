
/*
 * Copyright (C) The detemplate authors
 *
 * The one list of the detectors: a line here, and a file in core/detect/ that
 * defines dt_detector_SYMBOL.  nginx knows no more of them than this.
 */


#ifndef DT_DETECTORS_H_INCLUDED_
#define DT_DETECTORS_H_INCLUDED_


/* X(symbol, name); the first is the default, their order is their number */
#define DT_DETECTORS(X)                                                       \
    X(etdm, "etdm")                                                           \
    X(etdm_all, "etdm-all")                                                   \
    X(rtdm_td, "rtdm-td")                                                     \
    X(sst, "site-style-tree")                                                 \
    X(content, "content-extractor")                                           \
    X(fast_content, "fast-content-extractor")                                 \
    X(hashes, "template-hash")                                                \
    X(shingles, "shingles")                                                   \
    X(text_mdl, "text-mdl")


#endif /* DT_DETECTORS_H_INCLUDED_ */
