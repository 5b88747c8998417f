package browser

import (
	"path"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// fileNameLimit bounds the names of downloads, in bytes: file systems take 255, and
// programs like to add something.
const fileNameLimit = 200

// deviceNames are no files on Windows, whatever follows after a dot.
var deviceNames = []string{
	"CON", "PRN", "AUX", "NUL", "CONIN$", "CONOUT$",
	"COM1", "COM2", "COM3", "COM4", "COM5", "COM6", "COM7", "COM8", "COM9",
	"LPT1", "LPT2", "LPT3", "LPT4", "LPT5", "LPT6", "LPT7", "LPT8", "LPT9",
}

// safeFileName makes a file name for every system out of what a page suggests: no
// directories, no control characters and none that turn the direction of the text,
// no device, not too long, not empty.
func safeFileName(name string) string {
	name = path.Base(strings.ReplaceAll(strings.ToValidUTF8(name, "_"), `\`, "/"))
	name = strings.Map(func(r rune) rune {
		switch {
		case unicode.Is(unicode.Bidi_Control, r):
			return -1
		case unicode.IsControl(r) || strings.ContainsRune(`<>:"|?*`, r):
			return '_'
		}
		return r
	}, name)
	name = strings.Trim(shorter(strings.Trim(name, " ."), fileNameLimit), " .")
	if name == "" || name == "/" {
		return "download"
	}
	stem, _, _ := strings.Cut(name, ".")
	if slices.Contains(deviceNames, strings.ToUpper(strings.TrimRight(stem, " "))) {
		return "_" + shorter(name, fileNameLimit-1)
	}
	return name
}

// shorter cuts a name to a number of bytes. A short extension stays.
func shorter(name string, limit int) string {
	if len(name) <= limit {
		return name
	}
	extension := path.Ext(name)
	if len(extension) > 20 {
		extension = ""
	}
	cut := limit - len(extension)
	for !utf8.RuneStart(name[cut]) {
		cut--
	}
	return name[:cut] + extension
}
