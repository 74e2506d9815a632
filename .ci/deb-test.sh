#!/bin/bash
#
# Copyright (C) The detemplate authors
#
# deb-test.sh DEBS DIR   follows the README in a clean root, with the packages
#                        of DEBS: installation, the minute without nginx, the
#                        five in nginx; upgrades while nginx serves, and
#                        removes it all; root's rights are needed
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
# shellcheck source=.ci/newer.sh
. "$top/.ci/newer.sh"

module=libnginx-mod-http-detemplate
enabled=etc/nginx/modules-enabled/50-mod-http-detemplate.conf
failed=0


# with nginx, and what packages need
base() {
    bare '' "$(dpkg --print-architecture)" \
        ca-certificates,systemd-standalone-tmpfiles,wget

    in_root apt-get install --download-only nginx
    mv "$root" "$dir/base"
}


# run COMMANDS   in the clean root, word by word
run() {
    sed 's/^/    /' <<<"$1"
    in_root sh -e -c "cd; $1"
}


# visits NAME   requests a page of a site that nobody has seen, again and
#               again, each time of another one; counts those that fail
visits() {
    local i=0 failures=0

    while [ ! -e "$dir/enough" ]; do
        i=$((i + 1))
        curl -s -f -o /dev/null -H "Host: $1$i.example.com" \
            http://127.0.0.1/p3.html || failures=$((failures + 1))
        sleep 0.1
    done

    echo "$i $failures" > "$dir/visits"
}


upgrade() {
    newer "$root/root/newer" >>"$log" 2>&1

    rm -f "$dir/enough"
    : > "$root/var/log/nginx/error.log"
    visits during &
    sleep 1
    ok "upgrade to $NEW while nginx serves" \
        in_root sh -c 'apt-get install /root/newer/*.deb'
    ok 'a site is learned afterwards' learned afterwards
    touch "$dir/enough"
    wait $!

    read -r requests failures < "$dir/visits"
    ok "no request of $requests failed" [ "$failures" = 0 ]
    ok 'the program is the new one' \
        [ "$(in_root detemplate --version)" = "detemplate $NEW" ]
    ok 'nginx runs the new module' in_root sh -c \
        'set -- $(cat /run/nginx.pid)
         grep "detemplate.*so$" "/proc/$1/maps" &&
         ! grep "so (deleted)" "/proc/$1/maps"'
    ok 'every site is learned' [ "$(for i in $(seq "$requests"); do
        learned "during$i" || { echo "during$i"; break; }; done)" = '' ]
    ok 'no learning failed' [ "$(grep -c 'no template' \
        "$root/var/log/nginx/error.log")" = 0 ]
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
    echo '127.0.0.1 localhost www.example.com' > "$root/etc/hosts"

    # the libraries of the packages are there before, and stay
    for i in "$debs"/*_*.deb; do dpkg-deb -f "$i" Depends; done |
        tr , '\n' | sed 's/^ *//; s/ .*//; /detemplate/d' | sort -u |
        in_root xargs apt-get install nginx >>"$log" 2>&1
    in_root service nginx restart >>"$log" 2>&1

    pages "$root/var/www/html"
    cp "$root/var/www/html/p1.html" "$root/var/www/html/index.html"
    : > "$root/var/www/html/style.css"

    # maintainer scripts act, as they do where there is an init
    printf '#!/bin/sh\nexit 0\n' |
        install -m 755 /dev/stdin "$root/usr/sbin/policy-rc.d"

    files > "$dir/before"

    # the program alone, then both packages, by the README's own commands
    ok 'the program' run "$(commands Installation | grep '^apt-get.*deb$' |
        sed 1q)"
    ok 'without nginx' run "$(commands '60 seconds')"
    ok 'Markdown without the template' sh -c '! grep -q "almanac society" \
        "$1" && grep -q "^# " "$1"' - "$root/root/out/p3.md"
    rm -r "$root/root/out" "$root/root/www.example.com"

    ok 'both packages' run "$(commands Installation |
        grep '^apt-get.*deb$' | sed -n 2p)"
    ok 'folder of templates' [ "$(stat -c '%A %U' \
        "$root/var/lib/nginx/detemplate")" = 'drwx------ www-data' ]
    configuration > "$root/etc/nginx/conf.d/detemplate.conf"
    ok 'in nginx' run "$(commands '5 minutes')"
    ok 'its answers' perl -0ne 'exit !/Detemplate:\ miss;\ reason=no-template
        \s+Detemplate:\ hit;\ mode=strip;\ version=1/x' "$log"

    ok 'module is enabled' [ -L "$root/$enabled" ]
    ok 'program' in_root detemplate --version
    ok 'manual pages' ls "$root"/usr/share/man/man1/detemplate.1.gz \
        "$root"/usr/share/man/man5/ngx_http_detemplate.5.gz
    ok 'completion' ls \
        "$root/usr/share/bash-completion/completions/detemplate" \
        "$root/usr/share/zsh/vendor-completions/_detemplate"
    ok 'documents' ls "$root"/usr/share/doc/detemplate/doc/bounds.md \
        "$root"/usr/share/doc/detemplate/conf-examples/prometheus-rules.yml
    ok 'links of documents' \
        links_lead_somewhere "$root/usr/share/doc/detemplate"
    ok 'page is stripped' stripped
    ok 'of its template, not of its content' only_content
    sed '/^\r$/q' "$dir/page"

    upgrade

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

if [ ! -x "$dir/base/usr/bin/wget" ]; then
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
