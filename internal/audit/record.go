package audit

import "time"

// Record is one line: a call of an operation by a client or by code in a run, or one
// that was refused. It never holds arguments, results, headers, queries or the
// contents of pages and files.
type Record struct {
	// Time is when the call was read, in UTC.
	Time time.Time `json:"time"`
	PID  int       `json:"pid"`
	// Face is how the client speaks: rpc, mcp or cli; Client is what it calls itself.
	Face   string `json:"face"`
	Client string `json:"client,omitempty"`
	// Call is the number of the call in its process; Within is that of the run that
	// made it, 0 for what a client asked itself.
	Call   uint64 `json:"call"`
	Within uint64 `json:"within,omitempty"`
	Op     string `json:"op"`
	// SiteID and ToolName are the tool that was run, or whose code made the call.
	SiteID   string `json:"siteId,omitempty"`
	ToolName string `json:"toolName,omitempty"`
	Space    string `json:"space,omitempty"`
	// Page is the host of the page that the call was about, as it is afterwards.
	Page string `json:"page,omitempty"`
	// Targets are the origins that fetch.server asked, redirects included, and that a
	// page was sent to: "https://api.example.com".
	Targets   []string   `json:"targets,omitempty"`
	Files     []File     `json:"files,omitempty"`
	Downloads []Download `json:"downloads,omitempty"`
	// Outcome is "ok" or the kind of the error, Rule the rule of a denial.
	Outcome    string  `json:"outcome"`
	Rule       string  `json:"rule,omitempty"`
	DurationMs float64 `json:"durationMs"`
}

// File is a path that was named, whether it could be used or not.
type File struct {
	Path string `json:"path"`
	// Access is "read" or "write".
	Access string `json:"access"`
}

// Download is a file that a page sent.
type Download struct {
	// From is the origin it came from, Path where it was put.
	From string `json:"from"`
	Path string `json:"path"`
}

// lost stands for records that could not be kept.
type lost struct {
	Time    time.Time `json:"time"`
	PID     int       `json:"pid"`
	Outcome string    `json:"outcome"` // always "lost"
	Records uint64    `json:"records"`
}
