#!/bin/bash
#
# Copyright (C) The detemplate authors
#
# root.sh SUITE ARCH DIR   builds and tests in another Debian, or in that of
#                          another architecture that this machine executes;
#                          root's rights are needed
#
# The root stays in DIR, with what was built there, for the next time.  Tests
# have processes and a loopback of their own.

set -euo pipefail

top=$(cd "$(dirname "$0")/.." && pwd)
root=$3

# shellcheck source=.ci/bare.sh
. "$top/.ci/bare.sh"


inside() {
    ip link set lo up
    mount -t proc proc "$root/proc"
    mount -t tmpfs tmpfs "$root/dev/shm"
    mount -t devpts -o ptmxmode=666 devpts "$root/dev/pts"

    in_root setarch "$1" make -C /detemplate all
    in_root setarch "$1" make -C /detemplate -k test

    # what speaks to Redis, once more with Valkey in its place
    if [ -e "$root/$valkey" ]; then
        # shellcheck disable=SC2016
        in_root env -C /detemplate PATH="$valkey:/usr/sbin:/usr/bin:/bin" \
            DETEMPLATE=build/detemplate \
            sh -c 'redis-server --version; TEST_NGINX_MODULE=$(realpath \
                build/*.so) prove -j2 -It/lib t/link*.t t/redis*.t t/fleet.t'
    fi
}


# commands of Redis that are those of Valkey
with_valkey() {
    in_root apt-get install -y --no-install-recommends valkey-server \
        valkey-tools
    mkdir -p "$root/$valkey"
    for name in server cli sentinel; do
        ln -sf "/usr/bin/valkey-$name" "$root/$valkey/redis-$name"
    done
}


valkey=/opt/valkey


case $2 in
    i386) personality=linux32 ;;
    *) personality=linux64 ;;
esac

if [ "${4-}" = inside ]; then
    inside $personality
    exit
fi

log=$root.log

if [ ! -e "$root/bare" ]; then
    echo "root: making Debian $1 for $2, for the first time"
    mkdir -p "$(dirname "$root")"
    bare "$1" "$2" ca-certificates >"$log" 2>&1 || { tail -20 "$log"; exit 1; }
    echo '127.0.0.1 localhost' >> "$root/etc/hosts"
    touch "$root/bare"
fi

# the tree as it is, with what was built of it
mkdir -p "$root/detemplate"
find "$root/detemplate" -mindepth 1 -maxdepth 1 ! -name build \
    -exec rm -rf {} +
find "$top" -mindepth 1 -maxdepth 1 ! -name build ! -name .git \
    -exec cp -a -t "$root/detemplate" {} +

in_root /detemplate/.ci/install.sh test
if in_root apt-cache show valkey-server >/dev/null 2>&1; then
    with_valkey >"$log" 2>&1 || { tail -20 "$log"; exit 1; }
fi
in_root sh -c 'dpkg-query -W -f "\${Package} \${Version} \${Architecture}\n" \
    nginx gcc libc6 libgumbo-dev libhiredis-dev libssl-dev \
    libcurl4-openssl-dev'

unshare --mount --net --pid --fork --kill-child \
    "$0" "$1" "$2" "$root" inside
