// Package browser drives one Chrome for egod: it finds and starts it, keeps its
// tabs in spaces, and runs page operations on them over the DevTools protocol.
//
// The parts, from the bottom up:
//
//	pipe      NUL-terminated frames over two file handles of the child
//	conn      the protocol client: calls by id, one reader, one writer
//	chrome    one running Chrome: process, conn, profile, tabs
//	Manager   starts a chrome on first use, replaces it after a crash
//	Space     a named set of tabs with a lane that keeps call order
//	Page      one tab: navigation, waits, evaluation, browser tools
//	Locator   elements of a page, found by a selector on each use
//
// Goroutines, who owns them and what ends them:
//
//	conn reader     conn      the pipe's end
//	conn writer     conn      the pipe's end or conn.close
//	process waiter  process   the child's exit; locked to its thread (Pdeathsig)
//	stderr copier   os/exec   the child's exit or its wait delay
//	launch          Manager   Chrome answered, or did not within the start timeout
//	chrome reaper   chrome    process gone and profile removed; Manager.Close waits
//	idle check      Manager   a timer's call: looks, perhaps closes Chrome, ends
//	page recovery   Page      the page answers again or was replaced (bounded)
//
// Protocol events are handled on the reader in the order Chrome sent them. A
// handler updates state and queues commands; it never waits for an answer.
package browser
