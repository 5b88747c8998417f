// Package audit writes the audit log: what was asked of egod and what came of it, one
// JSON object a line, appended to a file that several processes may share. It knows
// nothing of what a call is; internal/ops fills the records.
package audit
