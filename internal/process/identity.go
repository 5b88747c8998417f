// Package process tells processes of this machine apart, and owns the children
// that egod starts beside its workers. A pid alone does not tell processes apart:
// it is given to another process once its own has ended.
package process

// Identity names one process: its pid and the time it was started, in a form
// that only this package and the operating system understand.
type Identity struct {
	PID     int    `json:"pid"`
	Started string `json:"started"`
}

// Identify returns the identity of the process that has a pid now, and false
// when there is none or it has ended and only waits to be reaped.
func Identify(pid int) (Identity, bool) {
	if pid <= 0 {
		return Identity{}, false
	}
	started, ok := startTime(pid)
	return Identity{PID: pid, Started: started}, ok
}

// Alive tells whether the process is still the one that was identified.
func (i Identity) Alive() bool {
	now, ok := Identify(i.PID)
	return ok && now == i
}
