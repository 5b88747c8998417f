package ops

import (
	"context"
	"errors"

	"egod/internal/skills"
)

type validateParams struct {
	SiteID string `json:"siteId,omitempty" doc:"id of a pack of the index; a pack without a readable id goes by its directory's name"`
	Path   string `json:"path,omitempty" doc:"a pack directory or a directory of packs, which need not be a root of this daemon"`
}

// validateSkills answers from the index once it is what is on disk and every
// tool of it was checked; a path is looked at on its own.
func validateSkills(ctx context.Context, sc *Scope, p validateParams) (skills.Report, error) {
	store := sc.svc.store()
	switch {
	case p.SiteID != "" && p.Path != "":
		return skills.Report{}, invalidParam("$.path", "nothing, beside siteId", "a path", "siteId and path exclude each other")
	case p.Path != "":
		report, err := skills.Validate(ctx, p.Path, SourceCheck(sc.svc.runner), skills.Limits{})
		var path *skills.PathError
		if errors.As(err, &path) {
			return report, invalidParam("$.path", "a pack directory or a directory of packs", path.Reason, path.Error())
		}
		return report, err
	}
	if _, err := store.Reload(ctx); err != nil {
		return skills.Report{}, err
	}
	if p.SiteID == "" {
		if err := store.Settle(ctx); err != nil {
			return skills.Report{}, err
		}
		report, _ := store.Catalog().Validate("")
		return report, nil
	}
	if err := store.SettlePack(ctx, p.SiteID); err != nil {
		return skills.Report{}, err
	}
	catalog := store.Catalog()
	pack, err := findPack(catalog, p.SiteID)
	if err != nil {
		return skills.Report{}, err
	}
	findings := pack.Diagnostics
	for _, other := range catalog.Unserved() { // another one that claims the id
		if other.ID == pack.ID && other.Root == pack.Root {
			findings = append(findings[:len(findings):len(findings)], other.Diagnostics...)
		}
	}
	return skills.NewReport(1, findings), nil
}
