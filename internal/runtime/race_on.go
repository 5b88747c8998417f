//go:build race

package runtime

// raceDetector tells that the shadow memory of the race detector, terabytes of
// address space, must fit as well: a worker then cannot bound its address space.
const raceDetector = true
