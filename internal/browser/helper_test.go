package browser

// helperEnv makes the test binary act as a program that owns a Manager.
const helperEnv = "EGOD_BROWSER_TEST_HELPER"

func runHelper(string) int { return 0 }
