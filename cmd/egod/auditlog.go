package main

import (
	"log/slog"

	"egod/internal/audit"
	"egod/internal/ops"
)

// openAudit opens the file of --audit-log; both results are nil without one. An audit
// log that was asked for and cannot be kept is a reason not to start.
func (c *command) openAudit(logger *slog.Logger) (*audit.Log, error) {
	if c.settings.auditLog == "" {
		return nil, c.namesFile("audit-log") // both may be nil: there is none, and that is no error
	}
	path, err := c.absolute(c.settings.auditLog)
	if err != nil {
		return nil, err
	}
	log, err := audit.Open(path, logger)
	if err != nil {
		return nil, usageError("name a file that can be written", "--audit-log: %v", err)
	}
	return log, nil
}

// auditor is the log as the operations take it: nothing at all without one.
func (d *daemon) auditor() ops.Auditor {
	if d.audit == nil {
		return nil
	}
	return d.audit
}
