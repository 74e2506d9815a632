# Copyright (C) The detemplate authors
#
# A crawler, and what can be said of pages without knowing what is content.

import collections
import html
import html.parser
import re
import urllib.parse

# what a crawler that behaves leaves alone
ACTS = re.compile(r'(?:^|[^a-z])(?:action|do|diff|oldid|rev|printable|search'
                  r'|login|logout|edit|feed|rss|atom|snapshot|patch|plain'
                  r'|blob|replytocom|wp-|xmlrpc|returnto)(?:[^a-z]|$)', re.I)


class Page(html.parser.HTMLParser):
    """links and blocks of text"""

    HIDDEN = ('script', 'style', 'head', 'template')
    INLINE = ('a', 'b', 'i', 'em', 'strong', 'span', 'code', 'tt', 'abbr',
              'bdi', 'bdo', 'small', 'sub', 'sup', 'font', 'u', 'time')

    def __init__(self, text):
        super().__init__()
        self.links = []
        self.blocks = ['']
        self.heads = []
        self.hidden = 0
        self.feed(text)
        self.close()

    def handle_starttag(self, tag, attrs):
        attrs = dict(attrs)

        if tag == 'a' and attrs.get('href') \
                and 'nofollow' not in (attrs.get('rel') or ''):
            self.links.append(attrs['href'])

        if tag in self.HIDDEN:
            self.hidden += 1

        if tag not in self.INLINE:
            self.blocks.append('')

        if re.fullmatch(r'h[1-6]', tag):
            self.heads.append(len(self.blocks) - 1)

    def handle_endtag(self, tag):
        if tag in self.HIDDEN and self.hidden:
            self.hidden -= 1

        if tag not in self.INLINE:
            self.blocks.append('')

    def handle_data(self, data):
        if not self.hidden:
            self.blocks[-1] += data


def text(body):
    return body.decode('utf-8', 'replace')


def words(body):
    return ' '.join(Page(text(body)).blocks).split()


def crawl(servers, start, mode, most):
    """pages that links lead to from start on: {url: body}, as found"""

    seen = {start}
    todo = collections.deque([start])
    found = {}

    while todo and len(found) < most:
        url = todo.popleft()
        page = servers.fetch(url, mode)

        if page is None:
            continue

        found[url] = page[1]

        for href in Page(text(page[1])).links:
            link = target(servers, url, href)

            if link and link not in seen:
                seen.add(link)
                todo.append(link)

    return found


def target(servers, url, href):
    base = f'http://{servers.host}{url}'
    u = urllib.parse.urlsplit(urllib.parse.urljoin(base, href.strip()))

    if u.scheme not in ('http', 'https') or u.netloc != servers.host:
        return None

    link = u.path or '/'
    link += '?' + u.query if u.query else ''

    if ACTS.search(link) or re.search(r'\.(png|jpe?g|css|js|txt|xml|gz)$',
                                      u.path):
        return None

    return urllib.parse.quote(link, safe="/?&=;:%+,.-_~!$'()*@")


def changed(new, old, again):
    """whether new is something else than old with bytes left out"""

    if subsequence(new, old) or subsequence(new, again):
        return 0

    # pages with times and tokens in them are never the same twice; a minute
    # ("less than a minute ago") may be over before new or behind it

    def calm(body):
        return re.sub(rb'[0-9A-Za-z+/]*[0-9][0-9A-Za-z+/.:=]*', b'#', body)

    return 0 if old != again and (subsequence(calm(new), calm(old))
                                  or subsequence(calm(new), calm(again))) else 1


def agree(part, whole):
    """up to which byte part is whole with bytes left out"""

    at, it = 0, iter(whole)

    while at < len(part) and part[at] in it:
        at += 1

    return at


def stray(new, old):
    """what new says where it is no more what old says"""

    at = agree(new, old)

    return new[max(at - 200, 0):at + 100]


def subsequence(part, whole):
    pos = 0

    for token in re.findall(rb'[^<]+|<', part):
        pos = whole.find(token, pos)
        if pos < 0:
            return agree(part, whole) == len(part)
        pos += len(token)

    return True


def folded(block):
    return ' '.join(block.split())


def blocks(body):
    """of text, white space folded"""

    return [b for b in map(folded, Page(text(body)).blocks)
            if re.search(r'\w', b)]


def headless(old, new):
    """headings that are cut from a page while the text behind them stays"""

    page = Page(text(old))
    were = collections.Counter(blocks(old))
    stay = collections.Counter(blocks(new))
    found = []

    for at in page.heads:
        behind = next((b for b in map(folded, page.blocks[at + 1:])
                       if re.search(r'\w', b)), '')
        head = folded(page.blocks[at])

        if head and not stay[head] and 0 < were[behind] == stay[behind]:
            found.append(f'{head}: {behind[:60]}')

    return found


def often(bodies):
    """blocks of text that more than half of the pages show"""

    count = collections.Counter(b for body in bodies.values()
                                for b in set(blocks(body)))

    return {b for b, n in count.items() if n * 2 > len(bodies)}


def weight(some, body):
    """words of some blocks on a page"""

    return sum(len(b.split()) for b in blocks(body) if b in some)


def cut(some, old, new):
    """percent of the words of some blocks on pages that are gone; "-" where
    none of them is on the pages"""

    before = sum(weight(some, body) for body in old)
    after = sum(weight(some, body) for body in new)

    return round(100 * (before - after) / before) if before else '-'


def left(bodies):
    """what most pages still show, the most words first, and the share of all
    words"""

    some = often(bodies)
    words = collections.Counter()
    total = 0

    for body in bodies.values():
        for b in blocks(body):
            words[b] += len(b.split())
            total += len(b.split())

    return (sorted(some, key=lambda b: -words[b]),
            sum(words[b] for b in some) / max(total, 1))
