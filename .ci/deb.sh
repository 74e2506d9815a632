#!/bin/bash
#
# Copyright (C) The detemplate authors
#
# deb.sh DIR   builds the Debian packages in DIR, from a copy of the tree, and
#              asks lintian about them; their changelog is made from CHANGES

set -euo pipefail

top=$(cd "$(dirname "$0")/.." && pwd)
export TZ=UTC LC_ALL=C.UTF-8


# CHANGES in the form that Debian has for it; the revision 0+1 is older than
# that of any package that Debian may make one day
changelog() {
    local line name version date end=

    while IFS= read -r line; do
        case $line in
            Changes\ with\ *)
                read -r _ _ name version date <<<"$line"
                printf '%s%s (%s-0+1) unstable; urgency=medium\n' \
                       "$end" "$name" "$version"
                end=$(printf ' -- %s  %s' "$maintainer" \
                             "$(date -R -d "$date")")$'\n\n' ;;
            '    *) '*) printf '  * %s\n' "${line#'    *) '}" ;;
            '       '*) printf '    %s\n' "${line#'       '}" ;;
            '') echo ;;
        esac
    done

    printf '\n%s' "${end%$'\n'}"
}


maintainer=$(sed -n 's/^Maintainer: //p' "$top/debian/control")
version=$(sed -n 's/^Changes with detemplate \([^ ]*\) .*/\1/p;T;q' \
          "$top/CHANGES")
tree=detemplate-$version

rm -rf "$1"
mkdir -p "$1/$tree"
cd "$1"

find "$top" -mindepth 1 -maxdepth 1 ! -name build ! -name .git \
    -exec cp -a -t "$tree" {} +

# the source as it was released is without the packaging
tar -cJf "detemplate_$version.orig.tar.xz" --exclude="$tree/debian" "$tree"
changelog < "$top/CHANGES" | sed '1,/./{/./!d}' > "$tree/debian/changelog"

(cd "$tree" && dpkg-buildpackage -us -uc) > build.log 2>&1 \
    || { tail -40 build.log; exit 1; }

rm -rf "$tree"
ls ./*.deb

# the maintainer is no address, as debian/README.source says
lintian --allow-root --fail-on error,warning --suppress-tags \
    root-in-contact,bogus-mail-host,bogus-mail-host-in-debian-changelog \
    ./*.changes
