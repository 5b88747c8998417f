//go:build !race

package runtime

// raceDetector tells that the program was built with the race detector.
const raceDetector = false
