#!/bin/bash
#
# Copyright (C) The detemplate authors
#
# Packages of another version, and the README's commands and configuration, for
# the scripts that include this file.  $top, $dir, $debs and $root are theirs.

# shellcheck disable=SC2154

# commands SECTION   those of a section of the README
commands() {
    sed '/^```/,/^```/d' "$top/README.md" |
        sed -n "/^## $1/,/^## /{s/^    //p}"
}


configuration() {
    sed -n '/^## 5 minutes/,/^## /{/^```nginx/,/^```/p}' "$top/README.md" |
        grep -v '^```'
}


# newer DIR   the packages in another version, $NEW, in names, in the program
#             and in the module, of which nothing else is another
newer() {
    local deb tree=$dir/newer

    OLD=$(dpkg-deb -f "$(echo "$debs"/detemplate_*.deb)" Version)
    OLD=${OLD%-*}
    NEW=${OLD%.*}.$((${OLD##*.} + 1))
    export OLD NEW

    rm -rf "$tree" "$1"
    mkdir "$1"

    for deb in "$debs"/*_*.deb; do
        rm -rf "$tree"
        dpkg-deb -R "$deb" "$tree"
        find "$tree" -type f \( -name control -o -name detemplate -o \
            -name '*.so' \) -exec perl -pi -e \
            's/\b\Q$ENV{OLD}\E\b/$ENV{NEW}/g' {} +
        dpkg-deb -b "$tree" "$1"
    done
}
