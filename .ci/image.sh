#!/bin/bash
#
# Copyright (C) The detemplate authors
#
# image.sh DEBS DIR   makes the OCI image DIR/detemplate.tar: Debian's nginx
#                     with the packages of DEBS, and what conf-examples/image/
#                     has; needs buildah, no registry, and root's rights
# image.sh test DIR   runs that image in a root of its own, and looks at a page

set -euo pipefail

top=$(cd "$(dirname "$0")/.." && pwd)
# shellcheck source=.ci/bare.sh
. "$top/.ci/bare.sh"
# shellcheck source=.ci/site.sh
. "$top/.ci/site.sh"


image() {
    buildah --root "$dir/storage" --runroot "$dir/run" \
        --storage-driver vfs "$@"
}


make() {
    local container

    rm -rf "$dir"
    mkdir -p "$dir"

    root=$dir/root
    bare '' "$(dpkg --print-architecture)" ca-certificates

    mkdir "$root/debs"
    cp "$debs"/detemplate_*.deb "$debs"/libnginx-mod-http-detemplate_*.deb \
        "$root/debs"
    in_root sh -c 'apt-get install --no-install-recommends nginx /debs/*.deb'
    in_root apt-get clean

    rm -rf "$root"/debs "$root"/var/lib/apt/lists/* \
        "$root"/etc/apt/apt.conf.d/9[89]* \
        "$root"/etc/nginx/sites-enabled/default
    install -D -m 644 -t "$root/usr/share/detemplate" \
        "$top/conf-examples/image/image.conf"
    install -m 755 "$top/conf-examples/image/start" \
        "$root/usr/sbin/detemplate-start"

    container=$(image from scratch)
    image copy -q "$container" "$root" /
    image config --entrypoint '["/usr/sbin/detemplate-start"]' --port 80 \
        --volume /var/lib/nginx/detemplate --stop-signal SIGQUIT "$container"
    image commit -q --rm "$container" "oci-archive:$dir/detemplate.tar"

    rm -rf "$root" "$dir/storage" "$dir/run"
}


start() {
    image run --isolation chroot "$@" "$container" -- "$entry"
}


# an origin on port 8000, and the image in front of it
inside() {
    local container entry pid

    ip link set lo up

    mkdir -p "$dir/origin/html" "$dir/origin/logs"
    pages "$dir/origin/html"
    echo 'error_log logs/error.log; pid logs/pid; events { } http {
        access_log off; types { text/html html; }
        server { listen 127.0.0.1:8000; root html; } }' \
        > "$dir/origin/nginx.conf"
    chmod -R a+rX "$dir" "$dir/origin"
    nginx -p "$dir/origin" -c "$dir/origin/nginx.conf"

    container=$(image from "oci-archive:$dir/detemplate.tar")
    entry=$(image inspect --type container \
        --format '{{index .OCIv1.Config.Entrypoint 0}}' "$container")

    ok 'without ORIGIN it says what is missing' \
        grep -q 'set ORIGIN' <(start 2>&1)
    ok 'an ORIGIN that is no URL' \
        grep -q 'no http URL' <(start --env ORIGIN=a:8000 2>&1)
    ok 'an ORIGIN with a directive' grep -q 'is refused' \
        <(start --env 'ORIGIN=http://a;user' 2>&1)

    start --env ORIGIN=http://127.0.0.1:8000 >> "$log" 2>&1 &
    pid=$!

    ok 'page is stripped' stripped
    ok 'of its template, not of its content' only_content
    ok 'the state' grep -q '"site":"origin"' \
        <(curl -s http://127.0.0.1/detemplate-status)
    ok 'nginx logs to the container' grep -q 'GET /p3.html' "$log"
    sed '/^\r$/q' "$dir/page"

    kill $pid
    rm -rf "$dir/storage" "$dir/run"
}


if [ "$1" = test ]; then
    dir=$(realpath "$2")
    log=$dir/log
    failed=0

    if [ "${3-}" = inside ]; then
        inside
        exit $failed
    fi

    : > "$log"
    exec unshare --mount --net --pid --fork --kill-child \
        "$0" test "$dir" inside
fi

debs=$1
mkdir -p "$2"
dir=$(realpath "$2")
make
