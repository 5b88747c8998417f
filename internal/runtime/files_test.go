package runtime

import (
	"context"
	"encoding/json"
	"fmt"
	"testing"
)

func TestFilesAreAskedOfTheHost(t *testing.T) {
	p := newTestPool(t, func(c *Config) { c.Files = true })
	var calls []string
	host := hostFunc(func(_ context.Context, name string, args json.RawMessage) (json.RawMessage, error) {
		calls = append(calls, name+" "+string(args))
		switch name {
		case "fs.readFile":
			return json.RawMessage(`{"base64":"aMO8"}`), nil
		case "fs.stat":
			return json.RawMessage(`{"size":3,"mode":420,"mtimeMs":5,"type":"file"}`), nil
		case "fs.readdir":
			return json.RawMessage(`[{"name":"a","type":"directory"}]`), nil
		case "fs.rm":
			return nil, &deniedError{}
		}
		return json.RawMessage(`null`), nil
	})
	prog := module(`
		import fs from "node:fs";
		import { readFile, writeFile, stat, readdir, rm, mkdir } from "fs/promises";
		export async function run() {
			const s = await stat("/d/a.txt");
			await writeFile("/d/b.txt", "hü");
			await mkdir("/d/e", {recursive: true});
			let kind, sync;
			try { await rm("/x") } catch (e) { kind = e.kind }
			try { fs.readFileSync("/x") } catch (e) { sync = e.message }
			const called = await new Promise((resolve, reject) => fs.readFile("/d/c", "utf8", (e, v) => e ? reject(e) : resolve(v)));
			return [await readFile("/d/a.txt", "utf8"), (await readFile(new URL("file:///d/a.txt")))[0], s.size, s.isFile(), (await readdir("/d", {withFileTypes: true}))[0].isDirectory(), kind, sync, called];
		}`)
	res, err := run(t, p, Request{Program: prog, Host: host})
	if err != nil {
		t.Fatal(err)
	}
	if got, want := string(res.Value), `["hü",104,3,true,true,"policy_denied","fs.readFileSync is not available in node tools","hü"]`; got != want {
		t.Errorf("value %s, want %s", got, want)
	}
	want := `[fs.stat {"path":"/d/a.txt"} fs.writeFile {"path":"/d/b.txt","base64":"aMO8"} fs.mkdir {"path":"/d/e","recursive":true} fs.rm {"path":"/x"} fs.readFile {"path":"/d/c"} fs.readFile {"path":"/d/a.txt"} fs.readFile {"path":"/d/a.txt"} fs.readdir {"path":"/d"}]`
	if got := fmt.Sprint(calls); got != want {
		t.Errorf("calls\n     %s\nwant %s", got, want)
	}
}
