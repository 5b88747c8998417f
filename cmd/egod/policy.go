package main

import (
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"egod/internal/ops"
	"egod/internal/policy"
	"egod/internal/skills"
)

// readPolicy reads the file of --policy. It is read once, at the start.
func (c *command) readPolicy() error {
	if c.settings.policy == "" {
		return c.namesFile("policy")
	}
	path, err := c.absolute(c.settings.policy)
	if err != nil {
		return err
	}
	c.policyFile, err = policy.Read(path, ops.NewTable().Operations())
	var wrong *policy.Error
	if errors.As(err, &wrong) {
		return &exitError{code: exitUsage, err: err, hint: wrong.Hint}
	}
	return err
}

// namesFile refuses a flag that was given without a file, such as that of a variable
// which is not set: going on without would be going on without any rule.
func (c *command) namesFile(flag string) error {
	if !c.given(flag) {
		return nil
	}
	return usageError("name a file, or leave the flag out", "--%s names no file", flag)
}

// policy is what the flags and the policy file allow beyond the default: a flag adds
// to a list of the file, and wins over a switch. What the file says of a pack counts
// for that pack, whatever the flags say.
func (c *command) policy() (ops.Policy, error) {
	all := ops.Policy{AllowAnyOrigin: c.settings.allowAnyOrigin, AllowPrivateNet: c.settings.allowPrivateNet}
	for _, entry := range c.settings.allowFS {
		dir, err := c.allowedDir(entry, c.absolute, "--allow-fs")
		if err != nil {
			return all, err
		}
		all.AllowFS = append(all.AllowFS, dir)
	}
	file := c.policyFile
	if file == nil {
		return all, nil
	}
	all.File = file.Path
	top := file.Rules
	if c.given("allow-private-net") {
		top.AllowPrivateNet = nil
	}
	if c.given("allow-any-origin") {
		top.AllowAnyOrigin = nil
	}
	flagged := all.AllowFS
	all, err := c.under(all, "", top)
	if err != nil {
		return all, err
	}
	if top.AllowFS != nil {
		all.AllowFS = append(slices.Clip(flagged), all.AllowFS...)
	}
	rest, err := c.under(all, policy.EveryPack, file.Packs[policy.EveryPack])
	if err != nil {
		return all, err
	}
	packs := map[string]ops.Policy{policy.EveryPack: rest}
	for id, rules := range file.Packs {
		if packs[id], err = c.under(rest, id, rules); err != nil {
			return all, err
		}
	}
	all.Packs = packs
	return all, nil
}

// under is a policy with what one entry of the file says instead. The entry is that
// of a pack, or empty for the top of the file.
func (c *command) under(p ops.Policy, pack string, rules policy.Rules) (ops.Policy, error) {
	p.From, p.Packs = maps.Clone(p.From), nil
	says := func(key string) {
		if pack == "" {
			return
		}
		if p.From == nil {
			p.From = make(map[string]string)
		}
		p.From[key] = policy.Entry(pack) + "." + key
	}
	if rules.AllowFS != nil {
		says("allowFs")
		p.AllowFS = nil
		for _, entry := range rules.AllowFS {
			dir, err := c.allowedDir(entry, c.besidePolicy, "policy file "+p.File+": allowFs")
			if err != nil {
				return p, err
			}
			p.AllowFS = append(p.AllowFS, dir)
		}
	}
	if rules.AllowPrivateNet != nil {
		says("allowPrivateNet")
		p.AllowPrivateNet = *rules.AllowPrivateNet
	}
	if rules.AllowAnyOrigin != nil {
		says("allowAnyOrigin")
		p.AllowAnyOrigin = *rules.AllowAnyOrigin
	}
	if rules.Browser != nil {
		says("browser")
		p.NoBrowser = !*rules.Browser
	}
	for _, list := range []struct {
		key  string
		said []string
		to   *[]string
	}{{"fetchHosts", rules.FetchHosts, &p.FetchHosts}, {"deny", rules.Deny, &p.Deny}, {"tools", rules.Tools, &p.Tools}} {
		if list.said != nil {
			says(list.key)
			*list.to = list.said
		}
	}
	return p, nil
}

// allowedDir reads DIR or DIR:ro. at makes a path absolute.
func (c *command) allowedDir(entry string, at func(string) (string, error), where string) (ops.AllowedDir, error) {
	dir, readOnly := strings.CutSuffix(entry, ":ro")
	if dir == "" { // made absolute it would be the working directory
		return ops.AllowedDir{}, usageError("name a directory, or leave it out", "%s %q names no directory", where, entry)
	}
	absolute, err := at(dir)
	if err != nil {
		return ops.AllowedDir{}, err
	}
	if info, err := os.Stat(absolute); err != nil || !info.IsDir() {
		return ops.AllowedDir{}, usageError("name a directory that exists", "%s %q is not a directory", where, dir)
	}
	return ops.AllowedDir{Dir: absolute, ReadOnly: readOnly}, nil
}

// besidePolicy resolves a path of the policy file against the directory that it is in.
func (c *command) besidePolicy(dir string) (string, error) {
	if !filepath.IsAbs(dir) && !strings.HasPrefix(dir, "~") {
		return filepath.Join(filepath.Dir(c.policyFile.Path), dir), nil
	}
	return c.absolute(dir)
}

// legacyHelpers tells whether scripts get the flat helpers.
func (c *command) legacyHelpers() bool {
	if f := c.policyFile; f != nil && f.LegacyHelpers != nil && !c.given("legacy-helpers") {
		return *f.LegacyHelpers
	}
	return c.settings.legacyHelpers
}

// secretNames are the variables that --secret and the policy file name.
func (c *command) secretNames() []string {
	if c.policyFile == nil {
		return c.settings.secrets
	}
	return append(slices.Clip(c.settings.secrets), c.policyFile.Secrets...)
}

// strangers are warnings about entries of the policy file for packs that there are
// none of: a name that is mistyped protects nobody.
func (c *command) strangers(catalog *skills.Catalog) (warnings []string) {
	if c.policyFile == nil {
		return nil
	}
	var ids []string
	for _, pack := range catalog.Packs() {
		ids = append(ids, pack.ID)
	}
	for _, id := range c.policyFile.PackIDs() {
		if slices.Contains(ids, id) {
			continue
		}
		warning := fmt.Sprintf("policy file %s: %s is about a pack that is not there", c.policyFile.Path, policy.Entry(id))
		if near := skills.Suggest(id, ids); len(near) > 0 {
			warning += fmt.Sprintf("; did you mean %q?", near[0])
		}
		warnings = append(warnings, warning)
	}
	return warnings
}

// shownPolicy is what holds for everybody or for one pack, in the words of the file.
type shownPolicy struct {
	AllowFS         []string `json:"allowFs"`
	AllowPrivateNet bool     `json:"allowPrivateNet"`
	AllowAnyOrigin  bool     `json:"allowAnyOrigin"`
	Browser         bool     `json:"browser"`
	FetchHosts      []string `json:"fetchHosts,omitzero"`
	Deny            []string `json:"deny"`
	Tools           []string `json:"tools,omitzero"`
}

func showPolicy(p ops.Policy) shownPolicy {
	shown := shownPolicy{
		AllowFS: []string{}, AllowPrivateNet: p.AllowPrivateNet, AllowAnyOrigin: p.AllowAnyOrigin,
		Browser: !p.NoBrowser, FetchHosts: p.FetchHosts, Deny: append([]string{}, p.Deny...), Tools: p.Tools,
	}
	for _, dir := range p.AllowFS {
		text := dir.Dir
		if dir.ReadOnly {
			text += ":ro"
		}
		shown.AllowFS = append(shown.AllowFS, text)
	}
	return shown
}

// effectivePolicy is all of it, as a policy file that says the same would be.
type effectivePolicy struct {
	shownPolicy
	LegacyHelpers bool                   `json:"legacyHelpers"`
	Secrets       []string               `json:"secrets"`
	Packs         map[string]shownPolicy `json:"packs"`
}

func (c *command) policyCommand() *cobra.Command {
	return c.withSettings(&cobra.Command{
		Use:   "policy",
		Short: "Print what flags and policy file allow together",
		Long: `Print the policy as it holds, of the flags, the environment and the file of
--policy together, in the format of that file. Each pack that differs has an entry
of its own. egod schema policy prints the format, docs/policy.md explains it.`,
		Example: "  egod policy --policy policy.json --allow-fs /data",
		Args:    noArguments,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if _, err := c.prepareOnce(cmd); err != nil {
				return err
			}
			all, err := c.policy()
			if err != nil {
				return err
			}
			out := effectivePolicy{
				shownPolicy: showPolicy(all), LegacyHelpers: c.legacyHelpers(),
				Secrets: append([]string{}, c.secretNames()...), Packs: map[string]shownPolicy{},
			}
			if c.policyFile != nil {
				for id := range c.policyFile.Packs {
					out.Packs[id] = showPolicy(all.Packs[id])
				}
			}
			return c.printJSON(out)
		},
	})
}
