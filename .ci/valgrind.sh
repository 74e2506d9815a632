#!/bin/sh
#
# Copyright (C) The detemplate authors
#
# valgrind.sh BUILD CORPUS    one pass of the accuracy bench over three sites
#                             of CORPUS with nginx and its processes under
#                             valgrind; fails on any error with a frame of ours
#
# nginx's pools hide overruns from valgrind; for those there is make asan.

set -eu

build=$(cd "$1" && pwd)
corpus=$2
top=$(cd "$(dirname "$0")/.." && pwd)

rm -rf "$build/valgrind"
mkdir -p "$build/valgrind"

# nginx changes its user, and then has to write there as well
chmod 1777 "$build/valgrind"

cat >"$build/valgrind/nginx" <<END
#!/bin/sh
exec valgrind -q --trace-children=yes --child-silent-after-fork=no \\
     --log-file=$build/valgrind/log.%p /usr/sbin/nginx "\$@"
END
chmod +x "$build/valgrind/nginx"

TEST_NGINX_BINARY=$build/valgrind/nginx \
    "$top/bench/accuracy" --site wicket --site xmlsoft --site haqqania-ar \
    "$corpus"

logs=$(ls "$build/valgrind" | grep -c '^log\.') || :

if [ "$logs" -eq 0 ]; then
    echo "valgrind.sh: nothing ran under valgrind" >&2
    exit 1
fi

if grep -E '(dt_|ngx_http_detemplate_)[a-z_]+ \(' "$build"/valgrind/log.*; then
    echo "valgrind.sh: errors, see $build/valgrind" >&2
    exit 1
fi

echo "valgrind: $logs processes, no error of ours"
