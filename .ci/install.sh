#!/bin/sh
#
# Copyright (C) The detemplate authors
#
# install.sh GROUP ...    installs the Debian packages that a group needs and
#                         that are missing: build, test, lint, bench,
#                         model, demo, asan, valgrind, fuzz, soak, apps,
#                         deb, debtest, image, watch, nginxtests, roots,
#                         browser
# install.sh --check ...  only says which are missing
#
# Nothing is started: while packages are set up, policy-rc.d forbids their
# services to run.

set -eu

build="gcc make libc6-dev nginx nginx-dev libgumbo-dev libcurl4-openssl-dev
       libhiredis-dev libssl-dev zlib1g-dev libbrotli-dev"
test="perl redis-server redis-tools openssl curl wget w3m zsh apparmor
      apache2-doc python3-doc htdig xapian-omega xapian-tools
      libnginx-mod-http-modsecurity libnginx-mod-http-brotli-filter
      libnginx-mod-http-js"
lint="perl python3 binutils clang-format man-db"
analyse="perl gcc cppcheck clang-tidy"
bench="wrk python3-lxml python3-cssselect python3-sklearn apache2-doc
       sqlite3-doc python3-html5lib cmark-gfm pandoc html2text lynx"
model="python3-sklearn python3-numpy python3-lxml python3-cssselect"
demo="perl python3-doc"
asan="dpkg-dev libpcre2-dev libssl-dev"
valgrind="valgrind python3-lxml python3-cssselect"
fuzz="clang binutils dpkg-dev"
soak="python3 redis-server util-linux mount"
apps="python3 git git-doc php-fpm php-cli php-xml php-mbstring php-intl
      php-sqlite3 php-mysql fcgiwrap dokuwiki mediawiki cgit gitweb wordpress
      wordpress-theme-twentytwentythree mariadb-server redmine
      redmine-sqlite puma nodejs util-linux"
deb="build-essential debhelper fakeroot perl"
watch="perl prometheus"
nginxtests="perl util-linux iproute2 openssl memcached libio-socket-ssl-perl
       libcache-memcached-perl libfcgi-perl libscgi-perl libcryptx-perl
       libgd-perl libprotocol-websocket-perl libnginx-mod-http-geoip
       libnginx-mod-http-image-filter libnginx-mod-http-perl
       libnginx-mod-http-xslt-filter libnginx-mod-mail libnginx-mod-stream
       libnginx-mod-stream-geoip"
roots="debootstrap iproute2 util-linux"
browser="chromium chromium-driver python3-selenium python3-pil
         fonts-dejavu-core apache2-doc"
debtest="debootstrap iproute2 curl lintian perl systemd-container"
image="buildah debootstrap iproute2 curl perl util-linux"

if [ "$(dpkg --print-architecture 2>/dev/null)" = amd64 ]; then
    analyse="$analyse gcc-multilib"
fi

check=
wanted=

for group; do
    case $group in
        --check) check=1 ;;
        build) wanted="$wanted $build" ;;
        test) wanted="$wanted $build $test" ;;
        lint) wanted="$wanted $build $lint" ;;
        analyse) wanted="$wanted $build $analyse" ;;
        bench) wanted="$wanted $build $bench" ;;
        model) wanted="$wanted $build $model" ;;
        demo) wanted="$wanted $build $demo" ;;
        asan) wanted="$wanted $build $test $asan" ;;
        valgrind) wanted="$wanted $build $test $valgrind" ;;
        fuzz) wanted="$wanted $build $fuzz" ;;
        soak) wanted="$wanted $build $soak" ;;
        apps) wanted="$wanted $build $apps" ;;
        deb) wanted="$wanted $build $deb" ;;
        watch) wanted="$wanted $build $watch" ;;
        nginxtests) wanted="$wanted $build $nginxtests" ;;
        roots) wanted="$wanted $roots" ;;
        browser) wanted="$wanted $build $browser" ;;
        debtest) wanted="$wanted $build $deb $debtest" ;;
        image) wanted="$wanted $build $deb $image" ;;
        *) echo "install.sh: unknown group '$group'" >&2; exit 1 ;;
    esac
done

if ! command -v dpkg-query >/dev/null; then
    echo "install.sh: not Debian; nothing checked, nothing installed"
    exit 0
fi

# the one status of each package that counts is "installed"
# shellcheck disable=SC2086
installed=$(dpkg-query -W -f '${db:Status-Status} ${Package}\n' $wanted \
            2>/dev/null | sed -n 's/^installed //p') || :

missing=
for p in $wanted; do
    case "
$installed
" in
        *"
$p
"*) ;;
        *) case " $missing " in *" $p "*) ;; *) missing="$missing $p" ;; esac
    esac
done

if [ -z "$missing" ]; then
    exit 0
fi

if [ -n "$check" ]; then
    echo "missing packages:$missing"
    exit 1
fi

if [ "$(id -u)" = 0 ]; then
    root=
elif command -v sudo >/dev/null && sudo -n true 2>/dev/null; then
    root="sudo -n"
else
    echo "install.sh: missing packages, install as root:" >&2
    echo "    apt-get install$missing" >&2
    exit 1
fi

policy=/usr/sbin/policy-rc.d
placed=

restore() {
    if [ -n "$placed" ]; then
        placed=
        $root rm -f $policy
    fi
}

trap restore EXIT
trap 'exit 130' INT
trap 'exit 143' TERM

if [ ! -e $policy ]; then
    placed=1
    printf '#!/bin/sh\nexit 101\n' | $root tee $policy >/dev/null
    $root chmod 755 $policy
fi

log=$(mktemp)

get() {
    # shellcheck disable=SC2086
    $root env DEBIAN_FRONTEND=noninteractive RUNLEVEL=1 apt-get install -y -q \
        --no-install-recommends -o DPkg::Lock::Timeout=120 $missing \
        </dev/null >"$log" 2>&1
}

echo "installing:$missing"

# the lists may be old, or not there: fetch them only then
if ! get && ! { $root apt-get update -q >/dev/null 2>&1; get; }; then
    tail -20 "$log" >&2
    rm -f "$log"
    exit 1
fi

rm -f "$log"
