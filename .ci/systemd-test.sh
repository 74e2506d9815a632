#!/bin/bash
#
# Copyright (C) The detemplate authors
#
# systemd-test.sh DEBS DIR   boots a Debian with systemd, with the packages of
#                            DEBS and the drop-in of conf-examples/systemd:
#                            nginx starts in that sandbox and learns, also
#                            after an upgrade; root's rights and a bare Debian
#                            of deb-test.sh in DIR are needed

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

debs=$1
dir=$2
root=$dir/booted
log=$dir/booted.log
result=$root/root/result


# in the booted system; each line is a check's exit code and its name
checks() {
    declare -f learned
    cat <<'END'
say() {
    "${@:2}" >/root/said 2>&1
    echo "$? $1"
    cat /root/said >&2
}

confined() {
    systemctl show -p ProtectSystem nginx | grep strict &&
        ! nsenter -m -t "$(cat /run/nginx.pid)" touch /etc/nginx/new
}

exec >/root/result 2>/root/errors
until systemctl is-active nginx; do sleep 0.2; done >/dev/null
say 'nginx is confined' confined
say 'it learns' learned first
say 'reload' systemctl reload nginx
say 'it learns after a reload' learned second
say 'upgrade' apt-get install /root/newer/*.deb
say 'nginx is active' systemctl is-active nginx
say 'it learns after an upgrade' learned third
say 'restart' systemctl restart nginx
say 'it learns after a restart' learned fourth
say 'templates are kept' grep -rq first.example.com /var/lib/nginx/detemplate
cat /var/log/nginx/error.log >&2
echo done
systemctl poweroff
END
}


: > "$log"
rm -rf "$root"
cp -a "$dir/base" "$root"
trap 'rm -rf "$root"' EXIT
failed=0

cp "$debs"/*.deb "$root/root"
in_root sh -c 'apt-get install --no-install-recommends systemd systemd-sysv \
    dbus nginx curl /root/*.deb' >>"$log" 2>&1 || { tail "$log"; exit 1; }

pages "$root/var/www/html"
install -D -m 644 -t "$root/etc/systemd/system/nginx.service.d" \
    "$top/conf-examples/systemd/detemplate.conf"
configuration > "$root/etc/nginx/conf.d/detemplate.conf"
newer "$root/root/newer" >>"$log"

checks > "$root/root/checks"
cat > "$root/etc/systemd/system/checks.service" <<'END'
[Unit]
After=nginx.service
[Service]
Environment=DEBIAN_FRONTEND=noninteractive LC_ALL=C.UTF-8
ExecStart=/bin/bash /root/checks
[Install]
WantedBy=multi-user.target
END
in_root systemctl enable checks >>"$log" 2>&1

# nothing of the host's /run is touched, and its network is not there
timeout 300 unshare --mount sh -c 'mount -t tmpfs tmpfs /run
    exec systemd-nspawn -q -D "$1" --private-network --register=no \
        --keep-unit -b' - "$root" >>"$log" 2>&1 </dev/null || :

cat "$root/root/errors" >>"$log"
while read -r code name; do
    [ "$code" = done ] || ok "$name" [ "$code" = 0 ]
done < "$result"
ok 'all checks ran' grep -q '^done$' "$result"
[ $failed = 0 ] || tail -40 "$log"
exit $failed
