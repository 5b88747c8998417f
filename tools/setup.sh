#!/bin/sh
# Makes sure that what a make target needs is on this machine, and installs it
# where that is possible: on Debian and its relatives, as root or with a sudo
# that asks nothing. Elsewhere it says what to install.
#
#   tools/setup.sh go        Go 1.26 or newer, which can also fetch itself
#   tools/setup.sh cc        a C compiler, for the race detector
#   tools/setup.sh chrome    a Chrome or Chromium
#   tools/setup.sh node      Node.js and npm, for the client libraries in tests/clients
#   tools/setup.sh python    Python 3, for examples/client.py
#   tools/setup.sh ffmpeg    ffmpeg with ffprobe, for the tests of page.screencast
#
# Several may be given. What is there already costs nothing and is left alone.
set -eu

need_go=1.26
chrome_names="chromium chromium-browser google-chrome google-chrome-stable"

say() { printf 'setup: %s\n' "$*" >&2; }
have() { command -v "$1" >/dev/null 2>&1; }

# apt_ready: whether packages can be installed here. Sets as_root.
apt_ready() {
	have apt-get || return 1
	as_root=
	if [ "$(id -u)" != 0 ]; then
		have sudo && sudo -n true 2>/dev/null || return 1
		as_root="sudo -n"
	fi
	[ -n "${apt_updated:-}" ] && return
	say "reading the list of packages"
	$as_root apt-get update -qq >&2 || return 1
	apt_updated=yes
}

# apt_install PACKAGE...: fails quietly where it cannot install.
apt_install() {
	apt_ready || return 1
	for package; do
		apt-cache show "$package" >/dev/null 2>&1 || return 1
	done
	say "installing $*"
	$as_root env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends "$@" >&2
}

go_is_new() {
	have go || return 1
	# An older Go from 1.21 on fetches the version that go.mod asks for.
	found=$(GOTOOLCHAIN="${GOTOOLCHAIN:-auto}" go env GOVERSION 2>/dev/null) || return 1
	found=${found##*go}
	major=${found%%.*}
	minor=${found#*.}
	minor=${minor%%[!0-9]*}
	[ "$major" -gt 1 ] || [ "$minor" -ge "${need_go#1.}" ]
}

# A distribution's own Go helps when it is new enough to fetch a newer one.
apt_go_fetches() {
	apt_ready || return 1
	minor=$(apt-cache policy golang-go | sed -n 's/^ *Candidate: [0-9]*:1\.\([0-9]*\).*/\1/p')
	[ "${minor:-0}" -ge 21 ]
}

setup_go() {
	go_is_new && return
	if apt_install "golang-$need_go-go" || { apt_go_fetches && apt_install golang-go; }; then
		PATH="/usr/lib/go-$need_go/bin:$PATH"
		go_is_new && return
	fi
	have go && say "$(go version) is too old"
	say "Go $need_go or newer is needed: install it from https://go.dev/dl/ and put its bin directory first in PATH"
	exit 1
}

setup_cc() {
	have "${CC:-cc}" || have gcc && return
	apt_install gcc libc6-dev && return
	say "a C compiler is needed by go test -race: install gcc and the C library's headers (Debian: gcc libc6-dev, macOS: xcode-select --install)"
	exit 1
}

chrome_found() {
	[ -n "${EGOD_CHROME:-}" ] && [ -x "$EGOD_CHROME" ] && return
	for name in $chrome_names; do
		have "$name" && return
	done
	for place in /usr/lib/chromium/chromium /opt/google/chrome/chrome \
		"/Applications/Google Chrome.app/Contents/MacOS/Google Chrome" \
		"/Applications/Chromium.app/Contents/MacOS/Chromium"; do
		[ -x "$place" ] && return
	done
	return 1
}

setup_chrome() {
	chrome_found && return
	apt_install chromium && chrome_found && return
	say "no Chrome or Chromium was found: install one (Debian: chromium; others: https://www.google.com/chrome/), or name it in EGOD_CHROME"
	exit 1
}

setup_node() {
	have node && have npm && return
	apt_install nodejs npm && have node && have npm && return
	say "Node.js and npm are needed by tests/clients: install them (Debian: nodejs npm; others: https://nodejs.org/)"
	exit 1
}

setup_python() {
	have python3 && return
	apt_install python3 && have python3 && return
	say "Python 3 is needed by examples/client.py: install it (Debian: python3; others: https://www.python.org/)"
	exit 1
}

setup_ffmpeg() {
	have ffmpeg && have ffprobe && return
	apt_install ffmpeg && have ffmpeg && have ffprobe && return
	say "ffmpeg is needed by the tests of page.screencast: install it with ffprobe (Debian: ffmpeg, macOS: brew install ffmpeg)"
	exit 1
}

for what; do
	case $what in
	go | cc | chrome | node | python | ffmpeg) "setup_$what" ;;
	*)
		say "unknown: $what"
		exit 2
		;;
	esac
done
