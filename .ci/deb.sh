#!/bin/bash
#
# Copyright (C) The detemplate authors
#
# deb.sh DIR [lintian]   builds the Debian packages in DIR, from a copy of the
#                        tree, and says how to go on; with "lintian", or where
#                        it is installed, lintian looks at them, and an error
#                        or a warning of it is one of this script

set -euo pipefail

top=$(cd "$(dirname "$0")/.." && pwd)
export TZ=UTC LC_ALL=C.UTF-8
export DEB_BUILD_OPTIONS="noautodbgsym ${DEB_BUILD_OPTIONS-}"


step() {
    printf 'deb: %s\n' "$*"
}


# where the clone is from, if that is a page
homepage() {
    { git -C "$top" remote get-url origin 2>/dev/null || :; } |
        sed -nE 's|^(https?://)([^/@]*@)?(.*)|\1\3|p' | sed 's/\.git$//'
}


version=$(sed -n 's/^Changes with detemplate \([^ ]*\) .*/\1/p;T;q' \
          "$top/CHANGES")
tree=detemplate-$version

case $(sed 's/^detemplate (//;q' "$top/debian/changelog") in
    "$version"-*) ;;
    *) echo "deb: CHANGES has $version, debian/changelog another" >&2
       exit 1 ;;
esac

step "copying the tree to $1/$tree"
rm -rf "$1"
mkdir -p "$1/$tree"
where=$1
cd "$1"

find "$top" -mindepth 1 -maxdepth 1 ! -name build ! -name .git \
    -exec cp -a -t "$tree" {} +

# the source as it was released is without the packaging
tar -cJf "detemplate_$version.orig.tar.xz" --exclude="$tree/debian" "$tree"

url=$(homepage)
[ -z "$url" ] || sed -i "/^Maintainer:/a Homepage: $url" "$tree/debian/control"

step "building version $version, for a minute or two; see $where/build.log"
(cd "$tree" && dpkg-buildpackage -us -uc) > build.log 2>&1 \
    || { tail -40 build.log; exit 1; }

rm -rf "$tree"

if [ "${2-}" = lintian ] || command -v lintian >/dev/null; then
    step 'lintian looks at them'
    lintian --allow-root --fail-on error,warning ./*.changes
fi

step 'done:'
printf "    $where/%s\n" *.deb
cat <<END

To install the program alone, for pages in folders and archives, as root:

    apt-get install ./$where/detemplate_*.deb

For nginx as well:

    apt-get install ./$where/detemplate_*.deb \\
        ./$where/libnginx-mod-http-detemplate_*.deb

README.md says how to go on: "60 seconds without nginx", "5 minutes in nginx".
END
