
/*
 * Copyright (C) The detemplate authors
 *
 * The numbers of the rules that apply while pages are served.  They are not
 * part of a template, which only holds facts about pages.  So stored templates
 * stay valid when a number changes, and requests need no look-up.
 */


#ifndef DT_SERVE_H_INCLUDED_
#define DT_SERVE_H_INCLUDED_


/* A page is rewritten until the words cut from it exceed DT_SERVE_TIMES the
   template words of any page that was learned from, plus DT_SERVE_MORE. */
#define DT_SERVE_TIMES 2
#define DT_SERVE_MORE 200

/*
 * LONGER: an element is cut by its shape when it has at most this multiple of
 * the words of the longest one that was learned at its place.  LINKS:
 * this percent of its words must be template, in links to pages of the site,
 * or a date, which is a text of at most DATE words with a year.  OWN: in
 * navigation, at most this number of texts may be anything else.  BEHIND:
 * after an element beside content, at most this number of words may follow
 * that are not links and that no other page has.
 */
#define DT_SERVE_LONGER 2
#define DT_SERVE_LINKS 50
#define DT_SERVE_BEHIND 9
#define DT_SERVE_OWN 1
#define DT_SERVE_DATE 9

/* A page that shows less than this percent of the usual words of template
   makes its site learn again. */
#define DT_SERVE_LOW 90


#endif /* DT_SERVE_H_INCLUDED_ */
