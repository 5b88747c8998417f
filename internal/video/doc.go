// Package video makes a WebM film of pictures that come one by one. ffmpeg does
// the encoding, in a process of its own that ends with egod; nothing is installed
// or downloaded.
package video
