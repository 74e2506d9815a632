
/*
 * Copyright (C) The detemplate authors
 *
 * The numbers of the rules that count while pages are served.  They are no
 * part of a template, which says what pages show: with other numbers, those
 * that are stored are as good as before, and requests need no look-up.
 */


#ifndef DT_SERVE_H_INCLUDED_
#define DT_SERVE_H_INCLUDED_


/* a page is rewritten as long as the words of template that were cut from it
   are no more than DT_SERVE_TIMES as many as any page showed that was learned
   from, and DT_SERVE_MORE */
#define DT_SERVE_TIMES 2
#define DT_SERVE_MORE 200

/* what goes by its shape has so many times the words, at the most, that the
   longest of its place had where it was learned; and navigation has this
   percent of them in links */
#define DT_SERVE_LONGER 2
#define DT_SERVE_LINKS 50

/* a page that shows less percent of the usual words of template is one to be
   learned from, whatever has been loaded of the site's loads; */
#define DT_SERVE_LOW 90

/* and one of a directory that is hardly known, up to this percent of them */
#define DT_SERVE_SPARE 60


#endif /* DT_SERVE_H_INCLUDED_ */
