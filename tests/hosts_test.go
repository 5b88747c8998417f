package tests

import (
	"encoding/json"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// host is a program that starts egod as its file of configuration says.
type host struct {
	name    string
	file    string // below examples/hosts
	servers string // the member that holds the servers
	inside  bool   // started in the workspace, and not in some directory
	prefix  string // put before the names of tools
	longest int    // name of a tool, with the prefix
}

var hosts = []host{
	{name: "Claude Code", file: "claude-code/.mcp.json", servers: "mcpServers", inside: true, prefix: "mcp__egod__", longest: 64},
	{name: "Claude Desktop", file: "claude-desktop/claude_desktop_config.json", servers: "mcpServers", longest: 64},
	{name: "Cursor", file: "cursor/.cursor/mcp.json", servers: "mcpServers", prefix: "egod", longest: 60},
	{name: "VS Code", file: "vscode/.vscode/mcp.json", servers: "servers", prefix: "mcp_egod_", longest: 64},
	{name: "Codex", file: "codex/.codex/config.toml", servers: "mcp_servers", inside: true, prefix: "mcp__egod__", longest: 64},
	{name: "Gemini CLI", file: "gemini-cli/.gemini/settings.json", servers: "mcpServers", inside: true, prefix: "mcp_egod_", longest: 63},
	{name: "Zed", file: "zed/settings.json", servers: "context_servers", prefix: "egod_", longest: 64},
}

// serverConfig is what a host's file says of egod.
type serverConfig struct {
	Type    string
	Command string
	Args    []string
	Env     map[string]string
}

// TestHosts starts egod as each host of docs/integrations.md would, and finds the
// pack of its workspace.
func TestHosts(t *testing.T) {
	for _, h := range hosts {
		t.Run(h.name, func(t *testing.T) {
			server := h.read(t)
			if server.Type != "" && server.Type != "stdio" {
				t.Errorf("the type is %q", server.Type)
			}
			d := startCommand(t, h.command(t, server))
			d.result("initialize", object{
				"protocolVersion": "2025-11-25", "capabilities": object{}, "clientInfo": object{"name": h.name, "version": "1"},
			}, nil)
			d.send(`{"jsonrpc":"2.0","method":"notifications/initialized"}`)
			var listed struct{ Tools []struct{ Name string } }
			d.result("tools/list", nil, &listed)
			if len(listed.Tools) != 14 {
				t.Errorf("%d tools, want 14", len(listed.Tools))
			}
			for _, tool := range listed.Tools {
				if name := h.prefix + tool.Name; len(name) > h.longest {
					t.Errorf("%s is longer than %d", name, h.longest)
				}
			}
			var found struct {
				StructuredContent struct{ Skills []struct{ ID string } }
			}
			d.result("tools/call", object{"name": "skills_for_url", "arguments": object{"url": "https://client.test/"}}, &found)
			if skills := found.StructuredContent.Skills; len(skills) != 1 || skills[0].ID != "client" {
				t.Errorf("the pack of the workspace was not found: %+v", skills)
			}
		})
	}
}

// read returns what the file says of egod.
func (h host) read(t *testing.T) serverConfig {
	t.Helper()
	path := filepath.Join("../examples/hosts", filepath.FromSlash(h.file))
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if filepath.Ext(path) == ".toml" {
		parse := exec.CommandContext(t.Context(), "python3", "-c", "import json, sys, tomllib; json.dump(tomllib.load(sys.stdin.buffer), sys.stdout)")
		parse.Stdin = strings.NewReader(string(text))
		if text, err = parse.Output(); err != nil {
			t.Fatalf("%s: %v (Python 3.11 or newer reads TOML)", path, err)
		}
	}
	var members map[string]map[string]serverConfig
	if err := json.Unmarshal(text, &members); err != nil {
		t.Fatalf("%s: %v", path, err)
	}
	server, ok := members[h.servers]["egod"]
	if !ok || len(members) != 1 || len(members[h.servers]) != 1 {
		t.Fatalf("%s does not have egod alone in %s", path, h.servers)
	}
	return server
}

// command is what the host starts: with its variables replaced, egod found in
// PATH or where it was copied to, and the user's directory a temporary one.
func (h host) command(t *testing.T, server serverConfig) *exec.Cmd {
	t.Helper()
	home := t.TempDir()
	workspace := filepath.Join(home, "project")
	clientPack.write(t, filepath.Join(home, "learnings"))
	clientPack.write(t, filepath.Join(workspace, "skills", "ego-browser", "learnings"))
	values := strings.NewReplacer(
		"${workspaceFolder}", workspace, "/Users/you", home, "/home/you", home, "/usr/local/bin/egod", egodPath,
	)
	command := values.Replace(server.Command)
	if command == "egod" {
		command = egodPath
	}
	args := make([]string, len(server.Args))
	for i, arg := range server.Args {
		args[i] = values.Replace(arg)
	}
	cmd := exec.Command(command, args...)
	cmd.Dir = home
	if h.inside {
		cmd.Dir = workspace
	}
	cmd.Env = []string{"TMPDIR=" + t.TempDir(), "PATH=" + os.Getenv("PATH")}
	for name, value := range server.Env {
		cmd.Env = append(cmd.Env, name+"="+value)
	}
	return cmd
}

// shown matches a link to an example and the block of code that follows it.
var shown = regexp.MustCompile("(?ms)^\\[[^\\]]+\\]\\(\\.\\./(examples/[^)]+)\\):\\n\\n```[a-z]+\\n(.*?)^```$")

// TestIntegrationsPage holds docs/integrations.md and the files that it shows
// together: each is shown as it is, and none is left out.
func TestIntegrationsPage(t *testing.T) {
	page, err := os.ReadFile("../docs/integrations.md")
	if err != nil {
		t.Fatal(err)
	}
	seen := map[string]bool{}
	for _, block := range shown.FindAllStringSubmatch(string(page), -1) {
		file, err := os.ReadFile(filepath.Join("..", filepath.FromSlash(block[1])))
		if err != nil {
			t.Error(err)
			continue
		}
		seen[block[1]] = true
		if string(file) != block[2] {
			t.Errorf("%s is not what docs/integrations.md shows", block[1])
		}
	}
	files, err := filepath.Glob("../examples/client.*")
	if err != nil {
		t.Fatal(err)
	}
	err = filepath.WalkDir("../examples/hosts", func(path string, entry fs.DirEntry, err error) error {
		if err == nil && !entry.IsDir() {
			files = append(files, path)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	for _, file := range files {
		if name := strings.TrimPrefix(filepath.ToSlash(file), "../"); !seen[name] {
			t.Errorf("docs/integrations.md does not show %s", name)
		}
	}
	if len(files) != len(hosts)+3 {
		t.Errorf("%d examples, and %d hosts with three clients", len(files), len(hosts))
	}
}
