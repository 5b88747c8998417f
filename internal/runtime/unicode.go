package runtime

import (
	"fmt"
	"strings"
	"unicode"
)

// runeRanges are inclusive ranges in ascending order without overlap.
type runeRanges [][2]rune

// write prints the ranges as the inside of a character class.
func (rr runeRanges) write(out *strings.Builder) {
	for _, r := range rr {
		fmt.Fprintf(out, `\u{%x}`, r[0])
		if r[1] > r[0] {
			fmt.Fprintf(out, `-\u{%x}`, r[1])
		}
	}
}

func (rr runeRanges) complement() runeRanges {
	var out runeRanges
	next := rune(0)
	for _, r := range rr {
		if r[0] > next {
			out = append(out, [2]rune{next, r[0] - 1})
		}
		next = r[1] + 1
	}
	if next <= unicode.MaxRune {
		out = append(out, [2]rune{next, unicode.MaxRune})
	}
	return out
}

// propertyRanges finds the characters that have a property, as ECMAScript names them.
func propertyRanges(name string) (runeRanges, error) {
	key, value, hasValue := strings.Cut(name, "=")
	if hasValue {
		switch key {
		case "General_Category", "gc":
			if rr := categoryRanges(value); rr != nil {
				return rr, nil
			}
		case "Script", "sc", "Script_Extensions", "scx":
			if key[len(key)-1] == 's' || key == "scx" {
				return nil, fmt.Errorf(`\p{%s} is not supported here, only Script=%s is`, name, value)
			}
			if rr := scriptRanges(value); rr != nil {
				return rr, nil
			}
		}
		return nil, fmt.Errorf(`\p{%s} is no property of Unicode`, name)
	}
	if rr := categoryRanges(name); rr != nil {
		return rr, nil
	}
	if rr := binaryRanges(name); rr != nil {
		return rr, nil
	}
	return nil, fmt.Errorf(`\p{%s} is not supported here, or no property of Unicode`, name)
}

// longCategories are the long names of general categories.
var longCategories = map[string]string{
	"Letter": "L", "Cased_Letter": "LC", "Uppercase_Letter": "Lu", "Lowercase_Letter": "Ll", "Titlecase_Letter": "Lt", "Modifier_Letter": "Lm", "Other_Letter": "Lo",
	"Mark": "M", "Combining_Mark": "M", "Nonspacing_Mark": "Mn", "Spacing_Mark": "Mc", "Enclosing_Mark": "Me",
	"Number": "N", "Decimal_Number": "Nd", "digit": "Nd", "Letter_Number": "Nl", "Other_Number": "No",
	"Punctuation": "P", "punct": "P", "Connector_Punctuation": "Pc", "Dash_Punctuation": "Pd", "Open_Punctuation": "Ps", "Close_Punctuation": "Pe",
	"Initial_Punctuation": "Pi", "Final_Punctuation": "Pf", "Other_Punctuation": "Po",
	"Symbol": "S", "Math_Symbol": "Sm", "Currency_Symbol": "Sc", "Modifier_Symbol": "Sk", "Other_Symbol": "So",
	"Separator": "Z", "Space_Separator": "Zs", "Line_Separator": "Zl", "Paragraph_Separator": "Zp",
	"Other": "C", "Control": "Cc", "cntrl": "Cc", "Format": "Cf", "Surrogate": "Cs", "Private_Use": "Co", "Unassigned": "Cn",
}

func categoryRanges(name string) runeRanges {
	if short, ok := longCategories[name]; ok {
		name = short
	}
	switch name {
	case "LC":
		return mergeTables(unicode.Lu, unicode.Ll, unicode.Lt)
	case "Cn":
		return assignedRanges().complement()
	case "C":
		return mergeRanges(mergeTables(unicode.C), assignedRanges().complement())
	}
	if table, ok := unicode.Categories[name]; ok && len(name) <= 2 {
		return mergeTables(table)
	}
	return nil
}

func assignedRanges() runeRanges {
	return mergeTables(unicode.L, unicode.M, unicode.N, unicode.P, unicode.S, unicode.Z, unicode.Cc, unicode.Cf, unicode.Cs, unicode.Co)
}

// scriptAliases are the short names of the scripts that people write.
var scriptAliases = map[string]string{
	"Arab": "Arabic", "Armn": "Armenian", "Beng": "Bengali", "Cyrl": "Cyrillic", "Deva": "Devanagari", "Geor": "Georgian", "Grek": "Greek",
	"Gujr": "Gujarati", "Guru": "Gurmukhi", "Hang": "Hangul", "Hani": "Han", "Hebr": "Hebrew", "Hira": "Hiragana", "Kana": "Katakana", "Khmr": "Khmer",
	"Laoo": "Lao", "Latn": "Latin", "Mymr": "Myanmar", "Taml": "Tamil", "Telu": "Telugu", "Thai": "Thai", "Tibt": "Tibetan", "Zyyy": "Common", "Zinh": "Inherited",
}

func scriptRanges(name string) runeRanges {
	if long, ok := scriptAliases[name]; ok {
		name = long
	}
	if table, ok := unicode.Scripts[name]; ok {
		return mergeTables(table)
	}
	return nil
}

// binaryRanges are the binary properties, by long and short name.
func binaryRanges(name string) runeRanges {
	p := unicode.Properties
	switch name {
	case "Any":
		return runeRanges{{0, unicode.MaxRune}}
	case "Assigned":
		return assignedRanges()
	case "ASCII":
		return runeRanges{{0, 0x7F}}
	case "Alphabetic", "Alpha":
		return mergeTables(unicode.L, unicode.Nl, p["Other_Alphabetic"])
	case "Lowercase", "Lower":
		return mergeTables(unicode.Ll, p["Other_Lowercase"])
	case "Uppercase", "Upper":
		return mergeTables(unicode.Lu, p["Other_Uppercase"])
	case "Math":
		return mergeTables(unicode.Sm, p["Other_Math"])
	case "White_Space", "space":
		return mergeTables(p["White_Space"])
	case "ASCII_Hex_Digit", "AHex":
		return mergeTables(p["ASCII_Hex_Digit"])
	case "Hex_Digit", "Hex":
		return mergeTables(p["Hex_Digit"])
	case "ID_Start", "IDS", "XID_Start", "XIDS":
		return idStartRanges()
	case "ID_Continue", "IDC", "XID_Continue", "XIDC":
		return mergeRanges(idStartRanges(), mergeTables(unicode.Mn, unicode.Mc, unicode.Nd, unicode.Pc, p["Other_ID_Continue"]))
	}
	if rr, ok := emojiProperties[name]; ok {
		return rr
	}
	for _, known := range []string{"Dash", "Diacritic", "Extender", "Ideographic", "Quotation_Mark", "Radical", "Sentence_Terminal", "Terminal_Punctuation", "Unified_Ideograph", "Variation_Selector", "Regional_Indicator", "Noncharacter_Code_Point", "Pattern_White_Space", "Pattern_Syntax", "Join_Control", "Soft_Dotted", "Logical_Order_Exception", "Deprecated", "Bidi_Control", "IDS_Binary_Operator", "IDS_Trinary_Operator"} {
		if name == known {
			return mergeTables(p[name])
		}
	}
	return nil
}

func idStartRanges() runeRanges {
	rr := mergeTables(unicode.L, unicode.Nl, unicode.Properties["Other_ID_Start"])
	return subtractRanges(rr, mergeTables(unicode.Properties["Pattern_Syntax"], unicode.Properties["Pattern_White_Space"]))
}

func mergeTables(tables ...*unicode.RangeTable) runeRanges {
	var all runeRanges
	for _, t := range tables {
		for _, r := range t.R16 {
			all = appendStride(all, rune(r.Lo), rune(r.Hi), rune(r.Stride))
		}
		for _, r := range t.R32 {
			all = appendStride(all, rune(r.Lo), rune(r.Hi), rune(r.Stride))
		}
	}
	return mergeRanges(all)
}

func appendStride(rr runeRanges, lo, hi, stride rune) runeRanges {
	if stride == 1 {
		return append(rr, [2]rune{lo, hi})
	}
	for r := lo; r <= hi; r += stride {
		rr = append(rr, [2]rune{r, r})
	}
	return rr
}
