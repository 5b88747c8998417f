package browser

import (
	"context"
	"fmt"
	"os"
)

// helperEnv makes the test binary act as a program that owns a Manager: it opens
// a page, prints Chrome's pid and its profile, and waits to be killed.
const (
	helperEnv     = "EGOD_BROWSER_TEST_HELPER"
	helperProfile = "EGOD_BROWSER_TEST_PROFILE"
	helperReaper  = "EGOD_BROWSER_TEST_REAPER"
)

func runHelper(tempDir string) int {
	if os.Getenv(helperReaper) != "" {
		return runReaper(tempDir)
	}
	m := New(Config{TempDir: tempDir, Profile: os.Getenv(helperProfile)})
	if _, err := m.Space(DefaultSpace).Page(context.Background()); err != nil {
		fmt.Println("error", err)
		return 1
	}
	c := m.running()
	fmt.Println(c.proc.PID, c.profile.dir)
	select {}
}
