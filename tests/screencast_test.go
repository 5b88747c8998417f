package tests

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
)

// movingPage changes all the time, and tells that it has for a while.
const movingPage = `<body style="margin:0"><div id="bar" style="height:400px"></div><script>
let n = 0;
const step = () => {
  bar.style.background = "hsl(" + (n++ * 7 % 360) + ",90%,50%)";
  if (n === 40) fetch("/reached?moved");
  requestAnimationFrame(step);
};
step();
</script>`

// filmFacts are what ffprobe says of a film, and how many of its frames differ.
type filmFacts struct {
	Streams []struct {
		Type   string `json:"codec_type"`
		Codec  string `json:"codec_name"`
		Width  int    `json:"width"`
		Height int    `json:"height"`
	} `json:"streams"`
	Format struct {
		Duration string `json:"duration"`
	} `json:"format"`
	seconds  float64
	pictures int
}

func film(t testing.TB, path string) filmFacts {
	t.Helper()
	text, err := exec.Command("ffprobe", "-v", "error", "-show_streams", "-show_format", "-of", "json", path).Output()
	if err != nil {
		t.Fatalf("ffprobe %s: %v", path, err)
	}
	var f filmFacts
	if err := json.Unmarshal(text, &f); err != nil {
		t.Fatal(err)
	}
	if f.seconds, err = strconv.ParseFloat(f.Format.Duration, 64); err != nil {
		t.Fatal(err)
	}
	sums, err := exec.Command("ffmpeg", "-v", "error", "-i", path, "-f", "framemd5", "-").Output()
	if err != nil {
		t.Fatalf("ffmpeg %s: %v", path, err)
	}
	seen := map[string]bool{}
	for line := range strings.Lines(string(sums)) {
		if !strings.HasPrefix(line, "#") {
			fields := strings.Split(line, ",")
			seen[fields[len(fields)-1]] = true
		}
	}
	f.pictures = len(seen)
	return f
}

// checkFilm fails when a film is not one silent VP8 stream of a size.
func checkFilm(t testing.TB, path string, width, height int) filmFacts {
	t.Helper()
	f := film(t, path)
	if len(f.Streams) != 1 || f.Streams[0].Type != "video" || f.Streams[0].Codec != "vp8" ||
		f.Streams[0].Width != width || f.Streams[0].Height != height || f.seconds < 1 || f.seconds > 60 {
		t.Errorf("%s: %+v, want one VP8 stream of %dx%d", filepath.Base(path), f, width, height)
	}
	return f
}

// TestScreencastOverTheWire: what a client starts runs on until it is stopped, its
// tab is closed, its task space ends or is given to a user, or egod ends.
func TestScreencastOverTheWire(t *testing.T) {
	p, dir := servePages(t, map[string]string{"/": movingPage}), t.TempDir()
	d := startClean(t, append(p.args(), "serve", "--allow-fs", dir)...)
	var started struct {
		Path          string
		Width, Height int
	}
	start := func(space, name string) string {
		t.Helper()
		path := filepath.Join(dir, name+".webm")
		d.result("page.goto", object{"url": "http://page.test/", "space": space}, nil)
		d.result("page.screencast.start", object{"path": path, "size": object{"width": 321, "height": 240}, "space": space}, &started)
		if started.Path != path || started.Width != 320 || started.Height != 240 {
			t.Errorf("started %+v", started)
		}
		return path
	}
	stopped := func(space string) (path *string) {
		t.Helper()
		d.result("page.screencast.stop", object{"space": space}, &path)
		return path
	}

	path := start("one", "stopped")
	d.fails("page_error", "page.screencast.start", object{"space": "one"})
	d.result("runScript", object{"source": "await page.title()", "space": "one"}, nil) // a run between does not end it
	p.await(t, "moved")
	if got := stopped("one"); got == nil || *got != path {
		t.Errorf("stop gave %v, want %s", got, path)
	}
	if got := stopped("one"); got != nil {
		t.Errorf("a second stop gave %s", *got)
	}
	if f := checkFilm(t, path, 320, 240); f.pictures < 4 {
		t.Errorf("the film has %d different pictures", f.pictures)
	}

	path = start("one", "closed")
	p.await(t, "moved") // it showed something
	d.result("browser.closeTab", object{"space": "one"}, nil)
	if got := stopped("one"); got == nil || *got != path {
		t.Errorf("stop after the tab was closed gave %v, want %s", got, path)
	}
	checkFilm(t, path, 320, 240)

	path = start("two", "lent")
	d.result("taskSpaces.handOff", object{"target": "two"}, nil)
	checkFilm(t, path, 320, 240)
	d.result("taskSpaces.takeOver", object{"target": "two"}, nil)

	path = start("two", "completed")
	d.result("taskSpaces.complete", object{"target": "two", "options": object{"keep": false}}, nil)
	checkFilm(t, path, 320, 240)

	path = start("three", "ended")
	d.stop()
	checkFilm(t, path, 320, 240)
	left, err := filepath.Glob(filepath.Join(dir, ".*"))
	if err != nil || len(left) > 0 {
		t.Errorf("left behind: %v, %v", left, err)
	}
}

// TestScreencastIsCheckedFirst: what is wrong with a call is told before a browser
// is started for it.
func TestScreencastIsCheckedFirst(t *testing.T) {
	d := startClean(t, "serve", "--chrome", "/no/such/chrome")
	for _, params := range []object{
		{"path": "/tmp/film.mp4"}, {"path": "film.webm"}, {"quality": 101}, {"quality": 1.5}, {"size": object{"width": 1, "height": 100}},
		{"size": object{"width": 100}}, {"size": object{"width": 100, "height": 100.5}}, {"size": object{"width": 5000, "height": 100}}, {"size": 5},
	} {
		d.fails("invalid_params", "page.screencast.start", params)
	}
	d.fails("policy_denied", "page.screencast.start", object{"path": "/tmp/film.webm"})
	d.fails("browser_unavailable", "page.screencast.start", object{})
	var path *string
	if d.result("page.screencast.stop", object{}, &path); path != nil {
		t.Errorf("stop of nothing gave %s", *path)
	}
}

// TestScreencastWithoutFFmpeg: an ffmpeg that is missing or fails is named, and
// nothing of the film is left.
func TestScreencastWithoutFFmpeg(t *testing.T) {
	fake := filepath.Join(t.TempDir(), "ffmpeg")
	if err := os.WriteFile(fake, []byte("#!/bin/sh\nhead -c 3000 >/dev/null\necho the disk is full >&2\nexit 9\n"), 0o755); err != nil {
		t.Fatal(err)
	}
	p, dir := servePages(t, map[string]string{"/": movingPage}), t.TempDir()
	with := func(ffmpeg string, args ...string) *daemon {
		tempDir := t.TempDir()
		t.Cleanup(func() { checkLeftovers(t, tempDir) })
		cmd := exec.Command(egodPath, append(append(p.args(), "serve", "--allow-fs", dir), args...)...)
		cmd.Env = append(os.Environ(), "TMPDIR="+tempDir, "EGO_BROWSER_FFMPEG_PATH="+ffmpeg)
		return startCommand(t, cmd)
	}
	e := with("/no/such/ffmpeg", "--chrome", "/no/such/chrome").fails("browser_unavailable", "page.screencast.start", object{})
	if hint, _ := e.Data["hint"].(string); !strings.Contains(e.Message, "ffmpeg") || !strings.Contains(hint, "EGO_BROWSER_FFMPEG_PATH") {
		t.Errorf("got %+v", e)
	}
	d := with(fake)
	source := `
await page.goto("http://page.test/");
await page.screencast.start({ path: args });
await page.waitForFunction(() => n > 60);
await page.screencast.stop();`
	if e := d.fails("tool_failed", "runScript", object{"source": source, "args": filepath.Join(dir, "film.webm")}); !strings.Contains(e.Message, "the disk is full") {
		t.Errorf("got %+v", e)
	}
	var result struct {
		Logs []struct{ Level, Message string }
	}
	source = strings.ReplaceAll(source, "await page.screencast.stop();", "")
	d.result("runScript", object{"source": source, "args": filepath.Join(dir, "film.webm")}, &result)
	if len(result.Logs) != 1 || result.Logs[0].Level != "warn" || !strings.Contains(result.Logs[0].Message, "the disk is full") {
		t.Errorf("a film that failed by itself left the logs %+v", result.Logs)
	}
	if left, err := os.ReadDir(dir); err != nil || len(left) > 0 {
		t.Errorf("left behind: %v, %v", left, err)
	}
}
