#!/bin/sh
# Fails when `go generate ./...` changes a file. It compares the tree with what it
# was just before, not with a commit, so that it works while you are editing.
set -eu

tree() {
	find . -type f -not -path './.git/*' -not -path './bin/*' -not -path '*/node_modules/*' -exec sha256sum {} + | LC_ALL=C sort -k 2
}

before=$(mktemp)
after=$(mktemp)
trap 'rm -f "$before" "$after"' EXIT
tree >"$before"
go generate ./...
tree >"$after"
if ! diff "$before" "$after" >/dev/null; then
	echo "generated files were not up to date; they are now, commit them:" >&2
	diff "$before" "$after" | sed -n 's/^[<>] [0-9a-f]*  /  /p' | sort -u >&2
	exit 1
fi
