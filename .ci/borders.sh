#!/bin/sh
#
# Copyright (C) The detemplate authors
#
# borders.sh [TREE [OBJECTS [MODULE]]]
#     checks that dependencies point one way.  Each room of the core and of
#     ngx_module includes only what its line below says, and one room calls a
#     library.  No two files call each other, not even by way of others.
#     OBJECTS/ROOM/FILE.o and MODULE/ROOM/FILE.o are TREE's objects.

set -u

cd "${1:-$(dirname "$0")/..}" || exit 1
objects=${2:-build/obj/core}
module=${3:-build/nginx/objs/addon}
rc=0


# may ROOM: the rooms whose headers it may include
may() {
    case $1 in
        base)     echo "base" ;;
        html)     echo "base html" ;;
        template) echo "base template" ;;
        scan)     echo "base html template scan" ;;
        text)     echo "base html scan text" ;;
        dom)      echo "base dom" ;;
        detect)   echo "base dom detect" ;;
        rules)    echo "base template scan dom rules" ;;
        web)      echo "base web" ;;
        redis)    echo "base template redis" ;;
        learn)    echo "base template scan dom detect rules web learn" ;;
        module)   echo "base html template scan text redis" ;;
        *)        echo "" ;;
    esac
}


complain() {
    echo "$*"
    rc=1
}


# glue ROOM: the rooms of ngx_module whose headers it may include; what lies in
# ngx_module itself is above all rooms, but for what they share
glue() {
    case $1 in
        zone)     echo "zone" ;;
        body)     echo "body zone" ;;
        request)  echo "request body zone" ;;
        status)   echo "status zone" ;;
        manager)  echo "manager zone" ;;
        *)        echo "" ;;
    esac
}

shared='detemplate.h fields.h names.h'


# the one room of a library: its header, what its symbols begin with, the room
libraries='gumbo gumbo_ dom
curl/ curl_ web
brotli/ Brotli web
hiredis redis redis
openssl/ (SSL|ERR|X509)_ redis'


# the layers of core/scan, lowest first: a file includes headers of its own
# layer and of lower ones, and calls only what stands before it here
scan_layers='address hand
record state
line unit shape
cut
tree nest raw element
scan
rewrite'

# likewise of core/text
text_layers='accept bytes link text state
out box render inline block attr code anchor media hidden math grid head
markup convert page'


# layers ROOM LIST
layers() {
    above=" $(echo $2) "

    for f in "core/$1"/*.[ch]; do
        n=$(basename "$f" .${f##*.})

        case $above in
            *" $n "*) ;;
            *) complain "$f: in no layer" ;;
        esac
    done

    while read -r layer; do
        above=${above#" $layer"}

        for n in $layer; do
            for f in "core/$1/$n".[ch]; do
                [ -f "$f" ] || continue

                for other in $(sed -nE \
                        "s|^ *# *include \"core/$1/([^.]*).*|\1|p" "$f"); do
                    case $above in
                        *" $other "*) complain "$f: includes $other" ;;
                    esac
                done
            done
        done
    done <<END
$2
END

    up=$(nm -A "$objects/$1"/*.o | awk -v list="$(echo $2)" '
        {
            sub(/\.o:.*/, "", $1)
            sub(/.*\//, "", $1)
        }

        $(NF - 1) == "U" { calls[$1 " " $NF] = 1 }
        $(NF - 1) ~ /^[B-TV-Z]$/ { where[$NF] = $1 }

        END {
            for (n = split(list, name); n; n--) {
                place[name[n]] = n
            }

            for (call in calls) {
                split(call, c)
                if (place[c[1]] && place[where[c[2]]] > place[c[1]]) {
                    print c[1] " calls " c[2] " of " where[c[2]]
                }
            }
        }')
    [ -z "$up" ] || complain "core/$1: $up"
}


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


# headers FILE ROOM: what a room of ngx_module includes of the others
headers() {
    allowed=" $(glue "$2") "

    for h in $(sed -nE 's|^ *# *include "ngx_module/([^"]*)".*|\1|p' "$1"); do
        case $h in
            */*) case $allowed in
                     *" ${h%%/*} "*) ;;
                     *) complain "$1: $2 includes ${h%%/*}" ;;
                 esac ;;
            *)   case " $shared " in
                     *" $h "*) ;;
                     *) complain "$1: $2 includes $h" ;;
                 esac ;;
        esac
    done
}


# circles FILE.o ...: files that call each other, by names of functions
circles() {
    loop=$(nm -A "$@" 2>/dev/null | awk '
        { sub(/:[0-9a-f ]*/, " ") }
        $2 == "T" { at[$3] = $1; next }
        $2 == "U" { n++; from[n] = $1; to[n] = $3 }
        END {
            for (i = 1; i <= n; i++) {
                if (to[i] in at && at[to[i]] != from[i]) {
                    print from[i], at[to[i]]
                }
            }
        }' | tsort 2>&1 >/dev/null \
           | sed -n 's/^tsort: \([^-].*\.o\)$/\1/p' | sort -u | tr '\n' ' ')
    [ -z "$loop" ] || complain "call each other: $loop"
}


# library HEADER SYMBOLS ROOM: nobody else includes or calls it
library() {
    for f in core/*/*.[ch] ngx_module/*.[ch] ngx_module/*/*.[ch] \
             tools/*.[ch]; do
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

layers scan "$scan_layers"
layers text "$text_layers"
room module ngx_module/*.[ch] ngx_module/*/*.[ch]

for d in ngx_module/*/; do
    [ -d "$d" ] || continue

    r=$(basename "$d")
    [ -n "$(glue "$r")" ] || complain "$d: no such room"

    for f in "$d"*.[ch]; do
        headers "$f" "$r"
    done
done

circles "$objects"/*/*.o
circles "$module"/ngx_module/*.o "$module"/zone/*.o "$module"/body/*.o \
        "$module"/request/*.o "$module"/status/*.o \
        "$module"/manager/*.o

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
