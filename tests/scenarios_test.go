package tests

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// scenarioLanes is how many task spaces the scenarios are spread over. Those of
// one space run one after the other, each on what the last one left there.
const scenarioLanes = 4

// scenario is one agent script of tests/scenarios. What it checks is in it.
type scenario struct{ name, source string }

// loadScenarios reads the scripts. helpers.js is no scenario: its functions are
// put behind each, so that the lines of the scripts keep their numbers.
func loadScenarios(t testing.TB) []scenario {
	t.Helper()
	files, err := filepath.Glob("scenarios/*.js")
	if err != nil {
		t.Fatal(err)
	}
	helpers := readFile(t, "scenarios/helpers.js")
	var all []scenario
	for _, file := range files {
		name := strings.TrimSuffix(filepath.Base(file), ".js")
		if name != "helpers" {
			all = append(all, scenario{name, readFile(t, file) + "\n" + helpers})
		}
	}
	if len(all) < 40 {
		t.Fatalf("there are %d scenarios", len(all))
	}
	return all
}

func readFile(t testing.TB, path string) string {
	t.Helper()
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// scenarioRoom is the directory that the scripts of a test may use, with two files
// to upload.
func scenarioRoom(t testing.TB) string {
	t.Helper()
	dir := t.TempDir()
	writeFile(t, filepath.Join(dir, "one.txt"), "first file")
	writeFile(t, filepath.Join(dir, "two.txt"), "second file")
	return dir
}

// TestScenarios runs every script in one daemon with one Chrome.
func TestScenarios(t *testing.T) {
	scenarios, base, dir := loadScenarios(t), servePlayground(t), scenarioRoom(t)
	d := startClean(t, "serve", "--allow-fs", dir, "--allow-private-net")
	for lane := range scenarioLanes {
		t.Run(fmt.Sprintf("space-%d", lane+1), func(t *testing.T) {
			t.Parallel()
			for i := lane; i < len(scenarios); i += scenarioLanes {
				runScenario(t, d, scenarios[i], object{"base": base, "dir": dir, "space": fmt.Sprintf("lane %d", lane+1)})
			}
		})
	}
}

func runScenario(t *testing.T, d *daemon, s scenario, args object) {
	t.Run(s.name, func(t *testing.T) {
		a := d.call("runScript", object{"source": s.source, "args": args, "timeoutMs": 45_000})
		if a.Error != nil {
			failed, _ := json.MarshalIndent(a.Error, "", "  ")
			t.Fatalf("%s", failed)
		}
		var result struct{ Output string }
		if err := json.Unmarshal(a.Result, &result); err != nil {
			t.Fatal(err)
		}
		if n := passed(result.Output); n == 0 {
			t.Errorf("it printed %q, want ok and a number at the end", result.Output)
		}
	})
}

// passed returns the number of checks that the last line of an output reports.
func passed(output string) int {
	lines := strings.Split(strings.TrimSpace(output), "\n")
	var n int
	if _, err := fmt.Sscanf(lines[len(lines)-1], "ok %d", &n); err != nil {
		return 0
	}
	return n
}

// TestScenariosFromStdin runs some of the scripts as a runner does that knows
// only the command line of the original: a process for each, the script on stdin,
// and a file that says how it ended.
func TestScenariosFromStdin(t *testing.T) {
	base, dir, temp := servePlayground(t), scenarioRoom(t), t.TempDir()
	ran := 0
	for _, s := range loadScenarios(t) {
		if !slices.Contains([]string{"bridge", "clicks", "download", "spaces", "values"}, s.name) {
			continue
		}
		ran++
		t.Run(s.name, func(t *testing.T) {
			report := filepath.Join(dir, s.name+".json")
			args, err := json.Marshal(object{"base": base, "dir": dir, "space": s.name, "report": report})
			if err != nil {
				t.Fatal(err)
			}
			output := runFromStdin(t, temp, s.source, "--allow-fs", dir, "--allow-private-net", "--args", string(args))
			var result struct {
				OK         bool
				Assertions int
			}
			if err := json.Unmarshal([]byte(readFile(t, report)), &result); err != nil {
				t.Fatal(err)
			}
			if n := passed(output); n == 0 || !result.OK || result.Assertions != n {
				t.Errorf("it printed %q and reported %+v", output, result)
			}
		})
	}
	if ran != 5 {
		t.Errorf("%d scripts ran, want 5", ran)
	}
	checkLeftovers(t, temp)
}

func runFromStdin(t *testing.T, temp, source string, flags ...string) string {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), patience)
	defer cancel()
	cmd := exec.CommandContext(ctx, egodPath, append([]string{"nodejs", "--sdk-path", "/no/such/bundle.js"}, flags...)...)
	cmd.Env = append(os.Environ(), "TMPDIR="+temp)
	cmd.Stdin = strings.NewReader(source)
	var stdout, stderr bytes.Buffer
	cmd.Stdout, cmd.Stderr = &stdout, &stderr
	if err := cmd.Run(); err != nil {
		t.Fatalf("%v\n%s%s", err, &stdout, &stderr)
	}
	return stdout.String()
}

// TestScriptsStartAfresh: what a script held, moved or set is not there for the
// next one, and what it left in the browser is.
func TestScriptsStartAfresh(t *testing.T) {
	base := servePlayground(t)
	d := startClean(t, "serve", "--allow-private-net")
	var result struct{ Value json.RawMessage }
	script := func(source string) string {
		t.Helper()
		d.result("runScript", object{"source": source, "args": base}, &result)
		return string(result.Value)
	}
	script(`
await taskSpaces.useOrCreate("kept");
await page.goto(args + "/");
await page.waitForSelector("#late", { state: "visible" });
await page.setDefaultTimeout(20);
await page.mouse.move(300, 300);
await page.mouse.down();
await page.keyboard.down("Shift");`)
	got := script(`
const nowhere = await browser.listTabs();
await taskSpaces.useOrCreate("kept");
const events = await page.drainEvents();
await page.locator("#name").click();
await page.keyboard.press("a");
await page.evaluate(() => { setTimeout(() => { document.body.insertAdjacentHTML("beforeend", "<p id='soon'>soon</p>"); }, 300); });
return [
  nowhere.length, await page.url() === args + "/", events.filter((e) => e.method === "Page.frameNavigated").length,
  await page.locator("#name").inputValue(), await page.locator("#soon").textContent(),
];`)
	if want := `[0,true,0,"a","soon"]`; got != want {
		t.Errorf("the second script saw %s, want %s", got, want)
	}
}

// TestScriptStopsForTheUser: a script that acts where a user has control is told
// so, and what else it printed is dropped, whether it caught the error or not.
func TestScriptStopsForTheUser(t *testing.T) {
	d := startClean(t, "serve")
	source := `
await taskSpaces.useOrCreate("lent");
await page.title();
await taskSpaces.handOff();
console.log("dropped");
const failed = await page.title().catch((error) => error);
if (args) throw failed;
return failed.error_code;`
	var result struct {
		Value  string
		Output string
	}
	d.result("runScript", object{"source": source, "args": false}, &result)
	if result.Value != "EGO_TASK_SPACE_USER_IN_CONTROL" || !strings.Contains(result.Output, "waitForAgentControl") || strings.Contains(result.Output, "dropped") {
		t.Errorf("got %+v", result)
	}
	d.result("taskSpaces.takeOver", object{"target": "lent"}, nil)
	if e := d.fails("policy_denied", "runScript", object{"source": source, "args": true}); e.Data["output"] != "" {
		t.Errorf("it printed %q", e.Data["output"])
	}
}

// TestWhatCommandsSetEndsWithTheRun: what a script sets with cdp is there for the
// rest of it, also behind navigations, and not for the next one; what a client sets
// with cdp itself stays.
func TestWhatCommandsSetEndsWithTheRun(t *testing.T) {
	base := servePlayground(t)
	d := startClean(t, "serve", "--allow-private-net")
	var result struct{ Value json.RawMessage }
	const set = `
await page.goto(args + "/second");
for (const [method, params] of [
  ["Emulation.setDeviceMetricsOverride", { width: 500, height: 400, deviceScaleFactor: 2, mobile: false }],
  ["Emulation.setUserAgentOverride", { userAgent: "somebody else" }],
  ["Emulation.setTimezoneOverride", { timezoneId: "Asia/Tokyo" }],
  ["Emulation.setTouchEmulationEnabled", { enabled: true, maxTouchPoints: 3 }],
  ["Emulation.setEmulatedMedia", { features: [{ name: "prefers-color-scheme", value: "dark" }] }],
  ["Network.enable", {}],
  ["Network.setExtraHTTPHeaders", { headers: { "X-Playground": "mine" } }],
  ["Page.addScriptToEvaluateOnNewDocument", { source: "window.planted = true" }],
]) await cdp(method, params);
await page.goto(args + "/second");
`
	const look = `
const planted = await page.evaluate(() => window.planted === true);
const header = await page.evaluate((base) => fetch(base + "/api/header").then((r) => r.text()), args);
const { clientWidth: width } = (await cdp("Page.getLayoutMetrics")).cssLayoutViewport;
return [width === 500, header.includes("mine"), planted, ...await page.evaluate(() => [
  devicePixelRatio === 2, navigator.userAgent === "somebody else", new Intl.DateTimeFormat().resolvedOptions().timeZone === "Asia/Tokyo",
  navigator.maxTouchPoints === 3, matchMedia("(prefers-color-scheme: dark)").matches])];`
	all := func(value string) string { return "[" + strings.Repeat(value+",", 7) + value + "]" }
	for round := range 5 {
		d.result("runScript", object{"source": set + look, "args": base}, &result)
		if got := string(result.Value); got != all("true") {
			t.Errorf("round %d: in the script that set it: %s", round, got)
		}
		d.result("runScript", object{"source": "await page.goto(args + '/second');" + look, "args": base}, &result)
		if got := string(result.Value); got != all("false") {
			t.Errorf("round %d: in the next one: %s", round, got)
		}
	}
	// A request that was held and never let go does not hold the next script.
	d.result("runScript", object{"source": `
await cdp("Fetch.enable", { patterns: [{ urlPattern: "*second*" }] });
await page.goto(args + "/second", { timeout: 200 });
return (await page.drainEvents()).filter((e) => e.method === "Fetch.requestPaused").length;`, "args": base}, &result)
	if string(result.Value) == "0" {
		t.Error("no request was held")
	}
	d.result("runScript", object{"source": "return (await page.goto(args + '/second')).loaded;", "args": base}, &result)
	if string(result.Value) != "true" {
		t.Error("the next script's page did not load")
	}
	d.result("cdp", object{"method": "Emulation.setDeviceMetricsOverride", "params": object{"width": 600, "height": 400, "deviceScaleFactor": 1, "mobile": false}}, nil)
	d.result("runScript", object{"source": "return await page.evaluate(() => innerWidth);"}, &result)
	if string(result.Value) != "600" {
		t.Errorf("what the client set is not there: %s", result.Value)
	}
}
