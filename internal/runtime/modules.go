package runtime

import (
	"fmt"
	"strings"

	"github.com/dop251/goja"
	"github.com/dop251/goja_nodejs/buffer"
	"github.com/dop251/goja_nodejs/require"
)

// nodeModules are the modules a program may import, without "node:".
var nodeModules = []string{"path", "url", "util", "buffer", "events", "timers/promises", "crypto", "fs", "fs/promises"}

// denial says why a module is not there and what to do instead. One with a rule is
// refused by the policy; the others would have nothing to do here.
type denial struct{ reason, hint, rule string }

// Rules of the policy that modules run into.
const (
	ruleProcesses = "process.start"
	ruleNetwork   = "network.direct"
)

// deniedModules are modules of Node that tools never get.
var deniedModules = map[string]denial{
	"child_process":  {"tools start no processes", "there is no way to allow it", ruleProcesses},
	"cluster":        {"tools start no processes", "there is no way to allow it", ruleProcesses},
	"worker_threads": {"tools run on one thread", "use async functions", ""},
	"http":           {"tools have no network of their own", "use ctx.fetch.server or ctx.fetch.browser", ruleNetwork},
	"https":          {"tools have no network of their own", "use ctx.fetch.server or ctx.fetch.browser", ruleNetwork},
	"http2":          {"tools have no network of their own", "use ctx.fetch.server or ctx.fetch.browser", ruleNetwork},
	"net":            {"tools have no network of their own", "use ctx.fetch.server or ctx.fetch.browser", ruleNetwork},
	"tls":            {"tools have no network of their own", "use ctx.fetch.server or ctx.fetch.browser", ruleNetwork},
	"dgram":          {"tools have no network of their own", "use ctx.fetch.server or ctx.fetch.browser", ruleNetwork},
	"dns":            {"tools have no network of their own", "use ctx.fetch.server or ctx.fetch.browser", ruleNetwork},
	"vm":             {"code is not compiled at run time", "put the code into a file of the pack", ""},
	"module":         {"modules are bundled when the tool is loaded", "import the file directly", ""},
	"process":        {"it is a global name here", "leave the import out", ""},
	"console":        {"it is a global name here", "leave the import out", ""},
	"timers":         {"timers are global names here", "leave the import out, or use node:timers/promises", ""},
	"perf_hooks":     {"performance is a global name here", "leave the import out", ""},
	"querystring":    {"Node itself calls it legacy", "use URLSearchParams", ""},
	"punycode":       {"Node itself calls it deprecated", "use domainToASCII and domainToUnicode of node:url", ""},
	"assert":         {"only some modules of Node are there", "throw an Error, or use isDeepStrictEqual of node:util", ""},
	"os":             {"tools see nothing of this machine", "process.platform and process.arch are there", ""},
}

// otherModules are the rest of Node's modules, of which no more is to be said.
const otherModules = "async_hooks constants diagnostics_channel domain inspector readline repl stream string_decoder sys trace_events tty v8 wasi zlib"

// moduleFiles are the modules written in JavaScript, by name; "web" holds the
// globals that are made at their first use.
var moduleFiles = map[string]string{
	"path": "mod_path.js", "util": "mod_util.js", "events": "mod_events.js", "timers/promises": "mod_timers.js",
	"crypto": "mod_crypto.js", "fs": "mod_fs.js", "fs/promises": "mod_fs_promises.js", "web": "web.js", "event": "event.js",
	"url": "mod_url.js", "buffer": "mod_buffer.js",
}

// makeModule makes a module for this realm.
func (r *gojaRealm) makeModule(name string) (goja.Value, error) {
	file, ok := moduleFiles[name]
	if !ok {
		return nil, fmt.Errorf("module %q is unknown", name)
	}
	v := r.load(file)
	if err := r.refuseAbsent(name, v); err != nil {
		return nil, fmt.Errorf("module %q: %w", name, err)
	}
	return v, nil
}

// nodejsModule loads a module of goja_nodejs, which its JavaScript part completes.
func (r *gojaRealm) nodejsModule(name string) (goja.Value, error) {
	registry := require.NewRegistry(require.WithLoader(func(string) ([]byte, error) { return nil, require.ModuleFileDoesNotExistError }))
	registry.RegisterNativeModule(buffer.ModuleName, buffer.Require)
	previous := r.vm.Get("require")
	modules := registry.Enable(r.vm)
	if previous == nil {
		if err := r.vm.GlobalObject().Delete("require"); err != nil {
			return nil, err
		}
	} else if err := r.vm.Set("require", previous); err != nil {
		return nil, err
	}
	v, err := modules.Require(name)
	if err != nil {
		return nil, fmt.Errorf("loading %s: %w", strings.TrimPrefix(name, "node:"), err)
	}
	return v, nil
}
