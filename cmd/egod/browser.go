package main

import (
	"fmt"
	"os"
	"os/exec"
	"runtime"
	"strings"

	"github.com/spf13/cobra"

	"egod/internal/browser"
)

func (c *command) browserCommand() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "browser",
		Short: "Find or install the browser that egod drives",
		Args:  noArguments,
		RunE:  func(cmd *cobra.Command, _ []string) error { return cmd.Help() },
	}
	cmd.AddCommand(c.browserFindCommand(), c.browserInstallCommand())
	return cmd
}

func (c *command) browserFindCommand() *cobra.Command {
	return c.withSettings(&cobra.Command{
		Use:     "find",
		Short:   "Print the path of the browser that would be started",
		Example: "  egod browser find",
		Args:    noArguments,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if _, err := c.prepare(cmd); err != nil {
				return err
			}
			path, _, err := browser.Find(c.settings.chrome)
			if err != nil {
				return err
			}
			if c.json {
				return c.printJSON(map[string]string{"path": path})
			}
			_, err = fmt.Fprintln(c.stdout, path)
			return err
		},
	})
}

// browserInstallCommand is the only part of egod that brings a browser to the
// machine, and only when it is asked to: with the system's own package manager,
// so that the system also keeps it up to date.
func (c *command) browserInstallCommand() *cobra.Command {
	return &cobra.Command{
		Use:     "install",
		Short:   "Install Chromium with the system's package manager, unless a browser is there",
		Example: "  sudo egod browser install",
		Args:    noArguments,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if path, _, err := browser.Find(""); err == nil {
				_, err := fmt.Fprintf(c.stdout, "%s is there already\n", path)
				return err
			}
			for _, step := range installSteps() {
				fmt.Fprintf(c.stderr, "egod: running %s\n", strings.Join(step, " "))
				install := exec.CommandContext(cmd.Context(), step[0], step[1:]...)
				install.Stdout, install.Stderr = c.stderr, c.stderr
				if err := install.Run(); err != nil {
					return &exitError{code: exitFailure, err: fmt.Errorf("%s: %w", strings.Join(step, " "), err),
						hint: "run it as root, or install Chrome or Chromium by hand and name it with --chrome"}
				}
			}
			path, searched, err := browser.Find("")
			if err != nil {
				return &exitError{code: exitFailure, err: err,
					hint: "searched " + strings.Join(searched, ", ") + "; install Chrome or Chromium by hand and name it with --chrome"}
			}
			_, err = fmt.Fprintf(c.stdout, "installed %s\n", path)
			return err
		},
	}
}

// installSteps are the commands of the first package manager found.
func installSteps() [][]string {
	managers := [][][]string{
		{{"apt-get", "update"}, {"apt-get", "install", "-y", "--no-install-recommends", "chromium"}},
		{{"dnf", "install", "-y", "chromium"}},
		{{"pacman", "-S", "--noconfirm", "chromium"}},
		{{"zypper", "--non-interactive", "install", "chromium"}},
		{{"apk", "add", "chromium"}},
		{{"brew", "install", "--cask", "chromium"}},
		{{"winget", "install", "--id", "Google.Chrome", "--silent", "--accept-package-agreements", "--accept-source-agreements"}},
	}
	for _, steps := range managers {
		if _, err := exec.LookPath(steps[0][0]); err != nil {
			continue
		}
		if runtime.GOOS != "linux" || os.Geteuid() == 0 {
			return steps
		}
		asRoot := make([][]string, 0, len(steps))
		for _, step := range steps {
			asRoot = append(asRoot, append([]string{"sudo", "-n"}, step...))
		}
		return asRoot
	}
	return nil
}
