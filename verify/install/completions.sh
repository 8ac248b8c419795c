#!/usr/bin/env bash
# completions.sh FILE: asks bash's completions of assay for words, as the shell does at the tab key.
set -euo pipefail
compopt() { :; }  # is allowed only inside a completion
source "$1"

failed=0
# expect <words, the last unfinished> <a completion that must be among them> <one that must not>
expect() {
    read -ra COMP_WORDS <<<"$1"
    case $1 in *' ') COMP_WORDS+=("") ;; esac
    COMP_CWORD=$((${#COMP_WORDS[@]} - 1))
    COMPREPLY=()
    _assay
    local found=" ${COMPREPLY[*]-} "
    if [[ $found != *" $2 "* || $found == *" $3 "* ]]; then
        echo "completions of '$1':$found: asked for '$2' and not '$3'"
        failed=1
    fi
}
expect "assay " calibrate audit
expect "assay help " monte-carlo audit
expect "assay ep" epsilon delta
expect "assay --v" --version --help
expect "assay epsilon --" --sampling-probability --matrix
expect "assay epsilon --sampling " balls-and-bins zero-out
expect "assay epsilon --sampling po" poisson-truncated shuffle
expect "assay delta --json --adjacency " zero-out poisson
expect "assay ldp " audit epsilon
expect "assay ldp audit --" --matrix --sampling
exit $failed
