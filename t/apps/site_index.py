# Copyright (C) The detemplate authors
#
# An index of pages, built from what an agent gets of them: whether it finds
# what one built from the pages finds, and what it finds by words of menus.

import os
import re
import sqlite3
import sys

import site_crawl


def prose(markdown):
    """Markdown without front matter and URLs, which no reader sees"""

    text = re.sub(r'\A---\n.*?\n---\n', '', markdown, flags=re.S)

    return re.sub(r'\]\([^()\s]*(?:\([^()\s]*\)[^()\s]*)*\)', ']', text)


class Prose(site_crawl.Page):
    """without what belongs to forms"""

    HIDDEN = (*site_crawl.Page.HIDDEN, 'select', 'textarea', 'button')


def words(body):
    return ' '.join(Prose(site_crawl.text(body)).blocks)


def tokens(text):
    return set(re.findall(r'[a-z]{4,}', text.lower()))


class Index:
    def __init__(self, texts):
        self.db = sqlite3.connect(':memory:')
        self.db.execute('CREATE VIRTUAL TABLE page USING fts5(url UNINDEXED,'
                        ' body)')
        self.db.executemany('INSERT INTO page VALUES (?, ?)', texts.items())

    def find(self, word):
        return {row[0] for row in self.db.execute(
            'SELECT url FROM page WHERE body MATCH ?', [f'"{word}"'])}


def compare(plain, stripped, markdown):
    """
    Each argument has the bodies of pages by their URLs.  Returns what share
    of the hits of words of content the index of Markdown has, in percent, the
    number of these words, and the hits of words of menus in the index of
    pages and in that of Markdown.
    """

    # pages that pass, as those of errors, are in neither

    said = {url: words(plain[url]) for url in markdown}
    kept = {url: words(stripped[url]) for url in markdown}
    whole = Index(said)
    index = Index({url: prose(site_crawl.text(b))
                   for url, b in markdown.items()})

    # what most pages show, and none as its own

    content = set().union(*map(tokens, kept.values()))
    often = site_crawl.often(plain)
    menu = set().union(*map(tokens, often)) - content if often else set()
    want = have = 0

    for word in content:
        pages = {url for url in whole.find(word) if word in tokens(kept[url])}
        want += len(pages)
        have += len(pages & index.find(word))

        if os.environ.get('APPS_LEFT') and pages - index.find(word):
            print(f'not found in Markdown: {word}', *pages - index.find(word),
                  file=sys.stderr)

    return (100 * have / max(want, 1), len(content),
            sum(len(whole.find(word)) for word in menu),
            sum(len(index.find(word)) for word in menu))
