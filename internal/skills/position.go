package skills

// PositionAt turns a byte offset of a text into a position as diagnostics give it.
// An offset outside the text is taken for the nearest one inside.
func PositionAt(text string, offset int) Position {
	t := textFile{text: text}
	return t.position(offset)
}
