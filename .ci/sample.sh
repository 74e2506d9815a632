#!/bin/sh
#
# Copyright (C) The detemplate authors
#
# sample.sh DIR [CORPUS]   makes a corpus of real pages in DIR, in the form of
#                          t/core/corpus.h: some of Debian's manual of Apache,
#                          in English and, in another charset, in Korean; and
#                          every eleventh site of CORPUS, if that is there

set -eu

manual=/usr/share/doc/apache2-doc/manual

rm -rf "$1"
mkdir -p "$1"
dir=$(realpath "$1")

for language in en ko; do
    [ -d "$manual/$language" ] || continue

    pages=$dir/manual-$language/pages
    mkdir -p "$pages"

    # every fourth page, and those that learning begins with

    # shellcheck disable=SC2046
    (cd "$manual/$language" && cp --parents -L howto/*.html \
        $(find . -name '*.html' -size -60k ! -path './howto/*' |
          LC_ALL=C sort | awk 'NR % 4 == 1 || /^.\/(bind|index).html/') \
        "$pages")

    printf '{"base_url": "http://manual.test/%s/",\n"key_pages": %s}\n' \
        "$language" '["index.html", "howto/auth.html", "bind.html"]' \
        >"$dir/manual-$language/site.json"
done

for site in "${2:-none}"/*/site.json; do
    [ -e "$site" ] && dirname "$(realpath "$site")"
done | awk 'NR % 11 == 1' | xargs -r cp -rL -t "$dir"
