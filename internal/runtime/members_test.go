package runtime

import (
	"encoding/json"
	"errors"
	"slices"
	"strings"
	"testing"
)

// TestModuleMembers holds the table of members to what the modules are.
func TestModuleMembers(t *testing.T) {
	p := newTestPool(t)
	for name, names := range moduleMembers {
		prog := module(`export const run = () => { const m = require("` + name + `"); return Object.keys(m).filter((k) => k !== "default").sort() }`)
		res, err := run(t, p, Request{Program: prog})
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		var got []string
		if err := json.Unmarshal(res.Value, &got); err != nil {
			t.Fatal(err)
		}
		want := strings.Fields(names.provided)
		slices.Sort(want)
		if !slices.Equal(got, want) {
			t.Errorf("%s has %v,\n the table says %v", name, got, want)
		}
	}
}

// TestAbsentMembers checks that a member that only Node has is never undefined.
func TestAbsentMembers(t *testing.T) {
	p := newTestPool(t)
	const why = " is not available in node tools"
	for _, tt := range []struct{ source, load, run string }{
		{source: `import { join, win32 } from "node:path"; export const run = () => [join, win32]`, load: `node:path has no member "win32" in node tools`},
		{source: `import { parseEnv as p } from "util"; export const run = () => p("")`, load: `node:util has no member "parseEnv" in node tools`},
		{source: `import { jion } from "path"; export const run = () => jion("a")`, load: `node:path has no member "jion"`},
		{source: `import { createSign } from "node:crypto"; export { createSign }; export const run = () => createSign`, load: `node:crypto has no member "createSign" in node tools`},
		{source: `import { truncate } from "fs/promises"; export const run = () => truncate("/x")`, load: `node:fs/promises has no member "truncate" in node tools`},
		{source: `import * as u from "node:util"; export const run = () => u.parseEnv("")`, run: "parseEnv of node:util" + why},
		{source: `import path from "node:path"; export const run = () => path.win32.sep`, run: "win32 of node:path" + why},
		{source: `export const run = async () => (await import("crypto")).createCipheriv("aes")`, run: "createCipheriv of node:crypto" + why},
		{source: `export const run = () => require("events").init()`, run: "init of node:events" + why},
		{source: `import { readFile } from "node:fs/promises"; import path, { sep } from "path"; export const run = () => [typeof readFile, path.sep === sep, typeof path.nope]`},
	} {
		_, err := run(t, p, Request{Program: module(tt.source)})
		var ce *CompileError
		var se *ScriptError
		switch {
		case tt.load != "":
			if !errors.As(err, &ce) || ce.Problems[0].Message != tt.load || ce.Problems[0].Line != 1 || ce.Problems[0].Column == 0 || ce.Problems[0].Hint == "" {
				t.Errorf("%s\n  got %+v, want a problem with a place: %s", tt.source, err, tt.load)
			}
		case tt.run != "":
			if !errors.As(err, &se) || se.Message != tt.run {
				t.Errorf("%s\n  got %v, want %s", tt.source, err, tt.run)
			}
		case err != nil:
			t.Errorf("%s\n  failed: %v", tt.source, err)
		}
	}
}
