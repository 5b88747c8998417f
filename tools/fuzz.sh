#!/bin/sh
# tools/fuzz.sh PATTERN PACKAGE... runs the fuzz targets of the packages whose names
# match, for FUZZTIME (default 30s) each; go test runs one at a time. What a target
# finds is kept in its package's testdata/fuzz.
set -eu

pattern=$1
shift
# By itself go test spends up to a minute on making one input smaller.
for package in $(go list "$@"); do
	for target in $(go test -list "$pattern" "$package" | grep '^Fuzz' || true); do
		echo "fuzz $package $target for ${FUZZTIME:=30s}"
		go test -run '^$' -fuzz "^$target\$" -fuzztime "$FUZZTIME" -fuzzminimizetime 2s "$package"
	done
done
