#!/bin/bash
#
# Copyright (C) The detemplate authors
#
# image.sh DEBS DIR   makes the image DIR/detemplate.tar: Debian's nginx with
#                     the packages of DEBS, and the files of
#                     conf-examples/image/; needs buildah, no registry, and
#                     root's rights
# image.sh test DIR   runs the image as its user in a read-only root of its
#                     own, and looks at a page; needs no buildah and no user
#                     namespaces, since it unpacks the archive by itself

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
    local container version

    rm -rf "$dir"
    mkdir -p "$dir"

    root=$dir/root
    bare '' "$(dpkg --print-architecture)" ca-certificates

    mkdir "$root/debs"
    cp "$debs"/detemplate_*.deb "$debs"/libnginx-mod-http-detemplate_*.deb \
        "$root/debs"
    in_root sh -c 'apt-get install --no-install-recommends nginx /debs/*.deb'
    in_root apt-get clean
    version=$(in_root detemplate --version)

    rm -rf "$root"/debs "$root"/var/lib/apt/lists/* \
        "$root"/etc/apt/apt.conf.d/9[89]*
    install -D -m 644 -t "$root/usr/share/detemplate" \
        "$top/conf-examples/image/image.conf"
    install -m 755 "$top/conf-examples/image/start" \
        "$root/usr/sbin/detemplate-start"
    install -m 755 "$top/conf-examples/image/health" \
        "$root/usr/sbin/detemplate-health"

    in_root install -d -o www-data -g www-data -m 700 \
        /var/lib/nginx/detemplate

    container=$(image from --format docker scratch)
    # by "copy", all files would be root's
    cp -a "$root/." "$(image mount "$container")"
    image umount "$container"
    image config --entrypoint '["/usr/sbin/detemplate-start"]' \
        --user www-data --port 8080 --volume /var/lib/nginx/detemplate \
        --healthcheck 'CMD /usr/sbin/detemplate-health' \
        --healthcheck-interval 30s --healthcheck-timeout 10s \
        --stop-signal SIGQUIT "$container"

    # in Docker's form, because OCI's has no health check
    image commit -q --rm --format docker "$container" \
        "docker-archive:$dir/detemplate.tar:detemplate:${version#* }"

    rm -rf "$root" "$dir/storage" "$dir/run"
}


# config KEY   of the image: a word, or the first of a list or of the keys
config() {
    perl -MJSON::PP -0777 -e '
        my $v = decode_json(<STDIN>)->{config}{$ARGV[0]};
        $v = $v->{Test} // [ keys %$v ] if ref $v eq "HASH";
        print ref $v ? (grep { !/^CMD/ } @$v)[0] : $v' "$1" \
        < "$dir/unpacked/config"
}


unpack() {
    local layer

    rm -rf "$dir/unpacked" "$root"
    mkdir -p "$dir/unpacked" "$root"
    tar -xf "$dir/detemplate.tar" -C "$dir/unpacked"

    perl -MJSON::PP -0777 -ne 'my $m = decode_json($_)->[0];
        print join "\n", $m->{Config}, @{$m->{Layers}}' \
        "$dir/unpacked/manifest.json" > "$dir/unpacked/names"

    cp "$dir/unpacked/$(sed q "$dir/unpacked/names")" "$dir/unpacked/config"

    sed 1d "$dir/unpacked/names" | while read -r layer || [ -n "$layer" ]; do
        tar -xf "$dir/unpacked/$layer" -C "$root"
    done
}


# start NAME=VALUE ...   as an engine with --read-only does: the only places to
#                        write to are /tmp and the volume
start() {
    in_image env "$@" "$(config Entrypoint)"
}


in_image() {
    chroot --userspec="$(config User)" "$root" env -i \
        PATH=/usr/sbin:/usr/bin:/sbin:/bin "$@"
}


# an origin on port 8000, and the image in front of it
inside() {
    local pid

    ip link set lo up

    mkdir -p "$dir/origin/html" "$dir/origin/logs"
    pages "$dir/origin/html"
    echo 'error_log logs/error.log; pid logs/pid; events { } http {
        access_log off; types { text/html html; }
        server { listen 127.0.0.1:8000; root html; } }' \
        > "$dir/origin/nginx.conf"
    chmod -R a+rX "$dir" "$dir/origin"
    nginx -p "$dir/origin" -c "$dir/origin/nginx.conf"

    unpack
    ok 'a user that is not root' [ "$(config User)" = www-data ]
    ok 'the security suite' grep -q -- '-security main' \
        "$root/etc/apt/sources.list"

    mount --bind "$root" "$root"
    mount -t tmpfs -o mode=1777 tmpfs "$root/tmp"
    mount -t proc proc "$root/proc"
    mount -t tmpfs -o mode=755 tmpfs "$root/dev"
    mknod -m 666 "$root/dev/null" c 1 3
    ln -s /proc/self/fd/1 "$root/dev/stdout"
    ln -s /proc/self/fd/2 "$root/dev/stderr"
    mount --bind "$root/$(config Volumes)" "$root/$(config Volumes)"
    mount -o remount,bind,ro "$root"

    ok 'without ORIGIN it says what is missing' \
        grep -q 'set ORIGIN' <(start 2>&1)
    ok 'an ORIGIN that is no URL' \
        grep -q 'no http URL' <(start ORIGIN=a:8000 2>&1)
    ok 'an ORIGIN with a directive' grep -q 'is refused' \
        <(start 'ORIGIN=http://a;user' 2>&1)
    ok 'not healthy yet' not_healthy

    # engines give the user what it writes to
    : > "$dir/container"
    chown "$(chroot "$root" id -u "$(config User)")" "$dir/container"
    start ORIGIN=http://127.0.0.1:8000 >> "$dir/container" 2>&1 &
    pid=$!

    ok 'page is stripped' stripped
    ok 'of its template, not of its content' only_content
    ok 'healthy' in_image "$(config Healthcheck)"
    ok 'the state' grep -q '"site":"origin"' \
        <(curl -s http://127.0.0.1:8080/detemplate-status)
    ok 'nginx logs to the container' grep -q 'GET /p3.html' "$dir/container"
    ok 'a template is kept' grep -rq origin "$root/$(config Volumes)"
    sed '/^\r$/q' "$dir/page"

    cat "$dir/container" >> "$log"
    kill $pid
}


not_healthy() {
    ! in_image "$(config Healthcheck)"
}


if [ "$1" = test ]; then
    dir=$(realpath "$2")
    log=$dir/log
    root=$dir/root
    port=8080
    failed=0

    if [ "${3-}" = inside ]; then
        inside
        exit $failed
    fi

    : > "$log"
    rm -f "$dir/container"
    unshare --mount --net --pid --fork --kill-child \
        "$0" test "$dir" inside || { tail -40 "$log"; exit 1; }
    rm -rf "$root" "$dir/unpacked" "$dir/origin"
    exit
fi

debs=$1
mkdir -p "$2"
dir=$(realpath "$2")
make
