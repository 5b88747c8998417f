package runtime

import (
	"encoding/json"
	"fmt"
	"net/url"
	"strings"
	"unicode/utf8"
)

// adjustSourceMap makes the bundler's map fit the text given to the engine:
//
//   - linesAdded lines stand before the bundle;
//   - the engine reports mapped columns as the map has them, zero-based, so that
//     one is added to every original column;
//   - linesRemoved is taken off every original line (a script's wrapper);
//   - sources get the names of the pack's files;
//   - the engine counts columns of the text in bytes, the map in UTF-16 units.
//
// Positions in a map are relative to the segment before, so the first segment
// alone carries the last three over to all others.
func adjustSourceMap(data []byte, code string, linesAdded, linesRemoved int) ([]byte, error) {
	var m struct {
		Version  int      `json:"version"`
		Sources  []string `json:"sources"`
		Names    []string `json:"names"`
		Mappings string   `json:"mappings"`
	}
	if err := json.Unmarshal(data, &m); err != nil {
		return nil, fmt.Errorf("reading the source map: %w", err)
	}
	for i, source := range m.Sources {
		m.Sources[i] = sourceName(source)
	}
	mappings, err := shiftFirstSegment(m.Mappings, -linesRemoved, 1)
	if err != nil {
		return nil, err
	}
	if mappings, err = columnsInBytes(mappings, code); err != nil {
		return nil, err
	}
	m.Mappings = strings.Repeat(";", linesAdded) + mappings
	return json.Marshal(m)
}

// sourceName is the name under which a file shows in stacks.
func sourceName(source string) string {
	if at := strings.LastIndex(source, packNamespace+":"); at >= 0 {
		// The engine takes the name for a URL, parses it twice and escapes it;
		// packFile undoes the last.
		name := strings.ReplaceAll(source[at+len(packNamespace)+1:], "%", "%25")
		return (&url.URL{Path: name}).EscapedPath()
	}
	return internalPrefix + source
}

// packFile is the path of a file in the pack by its name in a position or a stack.
func packFile(name string) string {
	if !strings.Contains(name, "%") {
		return name
	}
	if path, err := url.PathUnescape(name); err == nil {
		return path
	}
	return name
}

// shiftFirstSegment adds to the original line and column of the first segment.
func shiftFirstSegment(mappings string, lines, columns int) (string, error) {
	start := 0
	for start < len(mappings) && (mappings[start] == ';' || mappings[start] == ',') {
		start++
	}
	if start == len(mappings) {
		return mappings, nil
	}
	end := start
	for end < len(mappings) && mappings[end] != ';' && mappings[end] != ',' {
		end++
	}
	fields, err := decodeVLQ(mappings[start:end])
	if err != nil {
		return "", err
	}
	if len(fields) < 4 {
		return "", fmt.Errorf("source map segment %q has no source", mappings[start:end])
	}
	fields[2] += lines
	fields[3] += columns
	return mappings[:start] + encodeVLQ(fields) + mappings[end:], nil
}

// columnsInBytes rewrites the generated columns of the lines that hold more than ASCII.
func columnsInBytes(mappings, code string) (string, error) {
	lines := strings.Split(mappings, ";")
	text := strings.Split(code, "\n")
	for i, line := range lines {
		if line == "" || i >= len(text) || isASCII(text[i]) {
			continue
		}
		segments := strings.Split(line, ",")
		column, unit, offset, written := 0, 0, 0, 0
		for k, segment := range segments {
			fields, err := decodeVLQ(segment)
			if err != nil {
				return "", err
			}
			if len(fields) == 0 {
				continue
			}
			column += fields[0]
			for unit < column && offset < len(text[i]) {
				r, size := utf8.DecodeRuneInString(text[i][offset:])
				unit += utf16Len(r)
				offset += size
			}
			fields[0] = offset - written
			written = offset
			segments[k] = encodeVLQ(fields)
		}
		lines[i] = strings.Join(segments, ",")
	}
	return strings.Join(lines, ";"), nil
}

func isASCII(s string) bool {
	for i := range len(s) {
		if s[i] >= utf8.RuneSelf {
			return false
		}
	}
	return true
}

const base64Digits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"

func decodeVLQ(s string) ([]int, error) {
	var fields []int
	value, shift := 0, 0
	for i := 0; i < len(s); i++ {
		digit := strings.IndexByte(base64Digits, s[i])
		if digit < 0 {
			return nil, fmt.Errorf("source map digit %q is not valid", s[i])
		}
		value |= digit & 31 << shift
		if digit&32 != 0 {
			shift += 5
			continue
		}
		if value&1 != 0 {
			fields = append(fields, -(value >> 1))
		} else {
			fields = append(fields, value>>1)
		}
		value, shift = 0, 0
	}
	return fields, nil
}

func encodeVLQ(fields []int) string {
	var b strings.Builder
	for _, f := range fields {
		value := f << 1
		if f < 0 {
			value = -f<<1 | 1
		}
		for {
			digit := value & 31
			value >>= 5
			if value > 0 {
				digit |= 32
			}
			b.WriteByte(base64Digits[digit])
			if value == 0 {
				break
			}
		}
	}
	return b.String()
}
