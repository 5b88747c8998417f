//go:build !linux

package skills

// remoteFS is not known here; where watching fails, polling takes over all the
// same, and Config.Poll asks for it.
func remoteFS(string) (bool, error) { return false, nil }
