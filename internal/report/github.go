package report

import (
	"fmt"
	"io"
	"path/filepath"
	"strings"

	"egod/internal/skills"
)

var (
	githubData     = strings.NewReplacer("%", "%25", "\r", "%0D", "\n", "%0A")
	githubProperty = strings.NewReplacer("%", "%25", "\r", "%0D", "\n", "%0A", ":", "%3A", ",", "%2C")
)

// GitHub writes findings as workflow commands of GitHub Actions, one a line, which
// it shows beside the lines of a pull request. Paths are relative to dir, the
// directory of the checkout.
func GitHub(w io.Writer, list []skills.Diagnostic, dir string) error {
	var out strings.Builder
	for _, d := range list {
		message := d.Message
		if d.Hint != "" {
			message += "\nhint: " + d.Hint
		}
		fmt.Fprintf(&out, "::%s %stitle=%s::%s\n", githubCommand(d.Severity), githubPlace(d, dir),
			githubProperty.Replace(d.Code), githubData.Replace(message))
	}
	_, err := io.WriteString(w, out.String())
	return err
}

func githubCommand(s skills.Severity) string {
	if s == skills.SeverityInfo {
		return "notice"
	}
	return string(s)
}

// githubPlace is the file and the place in it. Columns are left out where a
// finding has more than one line, since GitHub refuses them there.
func githubPlace(d skills.Diagnostic, dir string) string {
	start, end := d.Range.Start, d.Range.End
	place := fmt.Sprintf("file=%s,line=%d,endLine=%d,",
		githubProperty.Replace(filepath.ToSlash(shownPath(d, dir))), start.Line+1, max(end.Line, start.Line)+1)
	if end.Line == start.Line {
		place += fmt.Sprintf("col=%d,endColumn=%d,", start.Character+1, max(end.Character, start.Character+1))
	}
	return place
}
