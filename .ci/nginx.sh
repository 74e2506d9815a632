#!/bin/bash
#
# Copyright (C) The detemplate authors
#
# nginx.sh module SRC DIR   copies the nginx tree SRC to DIR and configures it
#                           for the module, as Debian builds its own modules
# nginx.sh asan SRC DIR     likewise, for nginx and the module under ASan and
#                           UBSan, each pool allocation a malloc() of its own
# nginx.sh fuzz SRC DIR     likewise, with the module linked in, for clang's
#                           fuzzer
# nginx.sh source DIR       fetches Debian's nginx source package into DIR
#
# SRC may be Debian's nginx-dev tree or any nginx source tree.

set -euo pipefail

top=$(cd "$(dirname "$0")/.." && pwd)


# apt's own sources as deb-src, in a place of their own: nothing of the
# system's configuration is changed, and no mirror is named here
sources() {
    local f

    for f in /etc/apt/sources.list.d/*.sources; do
        [ -e "$f" ] && sed 's/^Types:.*/Types: deb-src/' "$f" && echo
    done > "$1/src.sources"

    for f in /etc/apt/sources.list /etc/apt/sources.list.d/*.list; do
        [ -e "$f" ] && sed -n 's/^deb /deb-src /p' "$f"
    done > "$1/src.list" || :
}


fetch() {
    local dir opts v

    mkdir -p "$1"
    dir=$(cd "$1" && pwd)
    mkdir -p "$dir/apt/parts" "$dir/apt/lists/partial" "$dir/apt/cache"
    sources "$dir/apt/parts"

    opts=(-q -o Dir::Etc::SourceList=/dev/null
          -o Dir::Etc::SourceParts="$dir/apt/parts"
          -o Dir::State::Lists="$dir/apt/lists"
          -o Dir::Cache="$dir/apt/cache"
          -o APT::Sandbox::User="$(id -un)")

    # other archives than Debian's may have no sources: only the last counts
    apt-get "${opts[@]}" update || :
    cd "$dir"

    # an archive may list a version before it has it: any will do
    for v in $(apt-cache "${opts[@]}" showsrc --only-source nginx |
               sed -n 's/^Version: //p' | sort -urV)
    do
        apt-get "${opts[@]}" source --only-source "nginx=$v" && break
    done

    [ -d nginx-*/ ]
    rm -rf "$dir/apt"
}


configure() {
    local run=./configure

    cd "$1"
    [ -e "$run" ] || run=auto/configure
    shift

    "$run" "$@" "--add${how:--dynamic-}module=$top"
}


copy() {
    rm -rf "$2"
    mkdir -p "$(dirname "$2")"
    cp -rL "$1" "$2"
}


case "${1-}" in

module)
    copy "$2" "$3"

    NGX_CONF_FLAGS=(--with-compat --with-threads)
    # shellcheck disable=SC1091
    [ ! -e "$3/conf_flags" ] || . "$3/conf_flags"

    configure "$3" "${NGX_CONF_FLAGS[@]}" \
        --with-cc-opt="-g -O2 -fPIC -fstack-protector-strong \
-Wformat -Werror=format-security -D_FORTIFY_SOURCE=2" \
        --with-ld-opt="-Wl,-z,relro -Wl,-z,now -fPIC"
    ;;

asan)
    copy "$2" "$3"

    # some checks fire in nginx itself, on code that is meant so: all of them
    # are for the module alone
    san="-fsanitize=address,undefined -fno-sanitize-recover=all"
    own="-fno-sanitize=nonnull-attribute,pointer-overflow,alignment"

    configure "$3" --prefix="$3/prefix" --with-compat --with-debug \
        --with-threads --with-http_ssl_module --with-http_v2_module \
        --with-http_sub_module --with-http_gunzip_module \
        --with-http_gzip_static_module --with-http_addition_module \
        --with-http_slice_module --with-http_realip_module \
        --with-http_auth_request_module --with-http_stub_status_module \
        --with-cc-opt="-g -O1 $san $own -fno-omit-frame-pointer -fPIC \
-DNGX_DEBUG_PALLOC=1 -Wno-error" \
        --with-ld-opt="$san"

    echo "objs/addon/%.o: CFLAGS += $san" >> objs/Makefile
    ;;

fuzz)
    copy "$2" "$3"

    san="-fsanitize=address,undefined"
    own="-fno-sanitize=nonnull-attribute,pointer-overflow,alignment,function"
    how=-

    configure "$3" --with-cc="${CLANG:-clang}" --prefix="$3/prefix" \
        --without-pcre --without-http_rewrite_module \
        --with-cc-opt="-g -O1 $san $own -fno-sanitize-recover=all \
-fno-omit-frame-pointer -DNGX_DEBUG_PALLOC=1 -Wno-error" \
        --with-ld-opt="$san"

    # what is covered is counted of the module alone; nginx is built with the
    # least that there is, which the module has to do without, too
    echo "objs/addon/%.o: CFLAGS += -fsanitize=fuzzer-no-link -Werror" \
        >> objs/Makefile
    ;;

source)
    fetch "$2"
    ;;

*)
    sed -n 's/^# \{0,1\}//; 5,13p' "$0"
    exit 1
    ;;
esac
