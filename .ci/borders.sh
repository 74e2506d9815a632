#!/bin/sh
#
# Copyright (C) The detemplate authors
#
# borders.sh [TREE [OBJECTS]]   checks that dependencies point one way: each
#                               room of the core, and the module, includes
#                               only what its line below says, and a library
#                               is called in one room only; by the includes
#                               of TREE's files, and by the symbols that the
#                               objects OBJECTS/ROOM/*.o leave open

set -u

cd "${1:-$(dirname "$0")/..}" || exit 1
objects=${2:-build/obj/core}
rc=0


# may ROOM: the rooms whose headers it may include
may() {
    case $1 in
        base)     echo "base" ;;
        template) echo "base template" ;;
        scan)     echo "base template scan" ;;
        dom)      echo "base dom" ;;
        detect)   echo "base dom detect" ;;
        rules)    echo "base template scan dom rules" ;;
        web)      echo "base web" ;;
        redis)    echo "base template redis" ;;
        learn)    echo "base template scan dom detect rules web learn" ;;
        module)   echo "base template scan redis" ;;
        *)        echo "" ;;
    esac
}


complain() {
    echo "$*"
    rc=1
}


# the one room of a library: its header, what its symbols begin with, the room
libraries='gumbo gumbo_ dom
curl/ curl_ web
hiredis redis redis'


# room NAME FILE ...
room() {
    name=$1
    allowed=" $(may "$name") "
    shift

    for f; do
        [ -f "$f" ] || continue

        for other in $(sed -nE 's|^ *# *include "core/([^/"]*).*|\1|p' \
                       "$f"); do
            case $allowed in
                *" $other "*) ;;
                *) complain "$f: $name includes $other" ;;
            esac
        done

        grep -qE '^ *# *include [<"](\.\./|.*/\.\./)' "$f" \
            && complain "$f: an include with .."

        [ "$name" != module ] \
            && grep -qE '^ *# *include [<"](.*/)?ngx_' "$f" \
            && complain "$f: the core knows nothing of nginx"
    done
}


# library HEADER SYMBOLS ROOM: nobody else includes or calls it
library() {
    for f in core/*/*.[ch] ngx_module/*.[ch] tools/*.[ch]; do
        [ -f "$f" ] || continue

        case $f in core/$3/*) continue ;; esac

        grep -qE "^ *# *include [<\"]$1" "$f" \
            && complain "$f: ${1%/} is for core/$3 only"
    done

    for o in "$objects"/*/*.o; do
        [ -f "$o" ] || continue

        case $o in "$objects/$3/"*) continue ;; esac

        open=$(nm -u "$o" | sed -nE "s/^ *U ($2.*)/\1/p" | tr '\n' ' ')
        [ -z "$open" ] || complain "$o: calls $open"
    done
}


for d in core/*; do
    if [ -d "$d" ]; then
        r=$(basename "$d")
        [ -n "$(may "$r")" ] || complain "$d: no such room"
        room "$r" "$d"/*.[ch]

        ls "$d"/*.c >/dev/null 2>&1 || continue
        ls "$objects/$r"/*.o >/dev/null 2>&1 \
            || complain "$objects/$r: no objects, build the tool first"

    else
        complain "$d: in no room"
    fi
done

room module ngx_module/*.[ch]

# inside of a room: what explains decisions stands above what decides
for f in core/rules/*.[ch]; do
    [ -f "$f" ] || continue

    case $f in core/rules/explain.[ch]) continue ;; esac

    grep -qE '^ *# *include "core/rules/explain\.h"' "$f" \
        && complain "$f: decides, and so does not include explain.h"
done

while read -r header symbols where; do
    library "$header" "$symbols" "$where"
done <<END
$libraries
END

exit $rc
