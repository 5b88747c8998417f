package browser

import (
	_ "embed"
	"strconv"
	"strings"
)

//go:embed serialize.js
var serializeJS string

//go:embed its.js
var itsJS string

//go:embed css.js
var cssJS string

//go:embed query.js
var queryJS string

//go:embed action.js
var actionJS string

// worldName is the name of egod's isolated world in every frame.
const worldName = "egod"

// wrapperURL names egod's own scripts in stack traces, so that they can be left out.
const wrapperURL = "egod:page"

// scripts are the texts put into every document of one Chrome. token is the
// unguessable identifier under which they are found there.
type scripts struct {
	token    string
	main     string
	isolated string
}

func newScripts() scripts {
	token := newToken()
	name := strings.NewReplacer("EGOD_NAME", token, "EGOD_LIMIT", strconv.Itoa(maxResult+largeFrame))
	source := "\n//# sourceURL=" + wrapperURL
	return scripts{
		token:    token,
		main:     name.Replace(serializeJS) + source,
		isolated: name.Replace(itsJS+cssJS+queryJS+actionJS) + source,
	}
}
