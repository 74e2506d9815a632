#!/bin/bash
#
# Copyright (C) The detemplate authors
#
# deb-test.sh DEBS DIR   follows the README's installation with the packages
#                        of DEBS in a clean root, and removes them again;
#                        root's rights are needed
#
# A bare Debian is kept in DIR, for the next time.  The clean root is a copy
# of it, with processes and a loopback of its own: nothing of this machine is
# asked, nothing listens on it, and at the end all is gone.

# what others expand stands in single quotes
# shellcheck disable=SC2016

set -euo pipefail

top=$(cd "$(dirname "$0")/.." && pwd)
# shellcheck source=.ci/bare.sh
. "$top/.ci/bare.sh"
# shellcheck source=.ci/site.sh
. "$top/.ci/site.sh"

module=libnginx-mod-http-detemplate
enabled=etc/nginx/modules-enabled/50-mod-http-detemplate.conf
failed=0


# with nginx, and what packages need
base() {
    bare '' "$(dpkg --print-architecture)" \
        ca-certificates,systemd-standalone-tmpfiles

    in_root apt-get install --download-only nginx
    mv "$root" "$dir/base"
}


# the first commands in a block of its own, without the one that has been run
readme_commands() {
    sed -n '/^## Installation/,/^## /{s/^    //p}' "$top/README.md" |
        sed -n '1,/^service /p' | grep -v '^make '
}


files() {
    (cd "$root" && find . \( -path ./proc -o -path ./run -o -path ./tmp \
        -o -path ./root -o -path ./var/log -o -path ./var/cache \
        -o -path ./var/lib/dpkg -o -path ./var/lib/apt \) -prune -o -print |
        grep -vxF ./etc/ld.so.cache | sort)
}


more_files() {
    comm -13 "$dir/before" <(files)
}


# the files that installed documents link to
links_lead_somewhere() {
    local file link links dead=0

    links=$(grep -rPo --include='*.md' \
        '\]\(\K[^)\s#:]+(?=[#)])' "$1") || return

    while IFS=: read -r file link; do
        [ -e "${file%/*}/$link" ] || { echo "$file: $link"; dead=1; }
    done <<<"$links"

    return $dead
}


only_templates() {
    local more

    more=$(more_files | grep -v '^\./var/lib/nginx/detemplate\(/\|$\)') || :
    echo "$more"

    # by which nginx's packages know what to enable again
    [ "$more" = "./$enabled.removed" ]
}


inside() {
    local i

    ip link set lo up
    mount -t proc proc "$root/proc"
    mkdir -p "$root/root/build/deb"
    cp "$debs"/*.deb "$root/root/build/deb"
    readme_commands > "$root/root/commands"

    # the libraries of the packages are there before, and stay
    for i in "$debs"/*_*.deb; do dpkg-deb -f "$i" Depends; done |
        tr , '\n' | sed 's/^ *//; s/ .*//; /detemplate/d' | sort -u |
        in_root xargs apt-get install nginx >>"$log" 2>&1
    in_root service nginx restart >>"$log" 2>&1

    pages "$root/var/www/html"

    files > "$dir/before"

    # word by word
    sed 's/^/    /' "$root/root/commands"
    ok 'commands of the README: apt-get' \
        in_root sh -e -c 'cd; eval "$(grep ^apt-get commands)"'
    ok 'folder of templates' [ "$(stat -c '%A %U' \
        "$root/var/lib/nginx/detemplate")" = 'drwx------ www-data' ]
    ok 'the rest of them' \
        in_root sh -e -c 'cd; eval "$(grep -v ^apt-get commands)"'

    ok 'module is enabled' [ -L "$root/$enabled" ]
    ok 'program' in_root detemplate --version
    ok 'manual pages' ls "$root"/usr/share/man/man1/detemplate.1.gz \
        "$root"/usr/share/man/man5/ngx_http_detemplate.5.gz
    ok 'documents' ls "$root"/usr/share/doc/detemplate/doc/bounds.md \
        "$root"/usr/share/doc/detemplate/conf-examples/prometheus-rules.yml
    ok 'links of documents' \
        links_lead_somewhere "$root/usr/share/doc/detemplate"
    ok 'page is stripped' stripped
    ok 'of its template, not of its content' only_content
    sed '/^\r$/q' "$dir/page"

    # as man leaves them
    mkdir -p "$root"/var/cache/man/cat1 "$root"/var/cache/man/cat5
    touch "$root/var/cache/man/cat1/detemplate.1.gz" \
        "$root/var/cache/man/cat5/ngx_http_detemplate.5.gz"

    rm "$root/etc/nginx/conf.d/detemplate.conf"
    ok 'removed' in_root apt-get remove $module detemplate
    ok 'nginx goes on' in_root service nginx restart
    ok 'serves the page as it is' cmp -s "$root/var/www/html/p3.html" \
        <(curl -s http://localhost/p3.html)
    ok 'templates are still there' \
        [ -n "$(ls "$root/var/lib/nginx/detemplate")" ]
    ok 'nothing else is' only_templates
    ok 'purged' in_root apt-get purge $module detemplate
    more_files > "$dir/more"
    ok 'nothing is left' [ ! -s "$dir/more" ]
    ok 'no pages of man are' [ -z "$(find "$root/var/cache/man" -type f)" ]

    in_root service nginx stop >>"$log" 2>&1
}


debs=$1
dir=$2
root=$dir/root
log=$dir/log

if [ "${3-}" = inside ]; then
    inside
    exit $failed
fi

mkdir -p "$dir"
: > "$log"

if [ ! -d "$dir/base" ]; then
    echo 'deb-test: making a bare Debian, for the first time'
    base >>"$log" 2>&1 || { tail -20 "$log"; exit 1; }
fi

rm -rf "$root"
cp -a "$dir/base" "$root"
trap 'rm -rf "$root"' EXIT

# with the network: what the packages depend on; without: all that follows
mkdir "$root/debs"
cp "$debs"/*.deb "$root/debs"
in_root sh -c 'apt-get install --download-only nginx /debs/detemplate_*.deb \
    /debs/libnginx-mod-http-detemplate_*.deb' >>"$log" 2>&1 \
    || { tail -20 "$log"; exit 1; }
cp -n "$root"/var/cache/apt/archives/*.deb "$dir/base/var/cache/apt/archives"
rm -r "$root/debs"

unshare --mount --net --pid --fork --kill-child \
    "$0" "$debs" "$dir" inside || { tail -40 "$log"; exit 1; }
