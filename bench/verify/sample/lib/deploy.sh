#!/usr/bin/env bash
set -euo pipefail

release_dir="${RELEASE_DIR:-/srv/shop}"

log_line() {
    printf '%s %s\n' "$(date +%H:%M:%S)" "$*" >&2
}

build_release() {
    local version="$1"
    log_line "building $version"
    npm ci --omit=dev
    tar czf "shop-$version.tgz" dist package.json
}

switch_release() {
    local version="$1"
    ln -sfn "$release_dir/$version" "$release_dir/current"
    log_line "now serving $version"
}

build_release "${1:?version missing}"
switch_release "$1"
