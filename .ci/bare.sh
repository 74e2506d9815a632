#!/bin/bash
#
# Copyright (C) The detemplate authors
#
# A bare Debian in the folder $root, for the scripts that include this file;
# root's rights are needed.

# shellcheck disable=SC2154  # $root is of who includes this


in_root() {
    chroot "$root" env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin HOME=/root \
        DEBIAN_FRONTEND=noninteractive LC_ALL=C.UTF-8 "$@"
}


# bare SUITE ARCH INCLUDE   from where apt has the packages of this machine,
#                           with their updates and those of security; an empty
#                           SUITE is that of this machine
bare() {
    local release mirror sources

    # shellcheck disable=SC1091
    release=$(. /etc/os-release; echo "$VERSION_CODENAME")
    # shellcheck disable=SC2016
    sources=$(apt-get indextargets --format \
                  '$(RELEASE) $(COMPONENT) $(REPO_URI)' \
                  'Created-By: Packages' | sort -u)
    mirror=$(sed -n "s/^$release main //p" <<<"$sources" | sed q)

    rm -rf "$root"
    debootstrap --variant=minbase --arch="$2" --include="$3" \
        "${1:-$release}" "$root" "$mirror"
    sed -En "s/^$release(-security|-updates) main (.*)/\
deb \2 ${1:-$release}\1 main/p" <<<"$sources" >> "$root/etc/apt/sources.list"

    # what is downloaded stays; nobody is asked; no proxy but this machine's
    rm -f "$root"/etc/apt/apt.conf.d/docker-clean
    echo 'APT::Get::Assume-Yes "true";' > "$root/etc/apt/apt.conf.d/99yes"
    apt-config dump Acquire::http > "$root/etc/apt/apt.conf.d/98proxy"

    in_root apt-get update
    in_root apt-get upgrade
}
