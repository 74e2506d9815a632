
/*
 * Copyright (C) The detemplate authors
 *
 * The list of the detectors.  Each has a line here, and a file in core/detect/
 * that defines dt_detector_SYMBOL.  nginx knows only this list.
 */


#ifndef DT_DETECTORS_H_INCLUDED_
#define DT_DETECTORS_H_INCLUDED_


/* X(symbol, name): the first is the default, and the order gives the number */
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
