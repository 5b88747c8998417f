package browser

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"

	"github.com/go-rod/rod/lib/proto"
)

// needsResolving reports whether a query has parts that the page cannot answer.
func (q *query) needsResolving() bool {
	if q == nil {
		return false
	}
	return q.Kind == "role" || q.Kind == "ref" ||
		q.Base.needsResolving() || q.Child.needsResolving() || q.Has.needsResolving() || q.HasNot.needsResolving()
}

// resolver replaces the role and ref parts of a query by sets of elements that the
// query script holds under a number until release.
type resolver struct {
	page  *Page
	world *world
	held  []int
}

func (r *resolver) resolve(ctx context.Context, q *query) error {
	if q == nil {
		return nil
	}
	for _, part := range []*query{q.Base, q.Child, q.Has, q.HasNot} {
		if err := r.resolve(ctx, part); err != nil {
			return err
		}
	}
	switch q.Kind {
	case "role":
		return r.resolveRole(ctx, q)
	case "ref":
		return r.resolveRef(ctx, q)
	}
	return nil
}

func (r *resolver) resolveRole(ctx context.Context, q *query) error {
	ids, err := r.roleIDs(ctx, q.role)
	if err != nil {
		return err
	}
	if q.role.IncludeHidden {
		q.Hidden = &hiddenRole{Role: q.role.Role, Match: q.role.Name}
	}
	q.Kind, q.Sort = "held", axAliases[q.role.Role].css != ""
	q.Held, _, err = r.hold(ctx, ids, false)
	return err
}

// resolveRef takes the node a snapshot named; when it was replaced since, the
// first element with its role and name.
func (r *resolver) resolveRef(ctx context.Context, q *query) error {
	known, ok := r.page.ref(q.ref)
	id := q.ref
	if ok {
		id = known.backendID
	}
	key, alive, err := r.hold(ctx, []int{id}, true)
	if err == nil && alive == 0 && ok && known.role != "" {
		var ids []int
		ids, err = r.roleIDs(ctx, &roleQuery{Role: known.role, Name: &TextPattern{Text: known.name, Exact: true}})
		if err == nil && len(ids) > 0 {
			key, alive, err = r.hold(ctx, ids[:1], false)
		}
	}
	if err != nil {
		return err
	}
	if alive == 0 {
		return &queryProblemError{Kind: "none", Message: fmt.Sprintf("Unknown ref: %d", q.ref)}
	}
	q.Kind, q.Held = "held", key
	return nil
}

func (r *resolver) roleIDs(ctx context.Context, q *roleQuery) ([]int, error) {
	roles, err := r.axRoles(ctx, q.Role)
	if err != nil {
		return nil, err
	}
	doc, err := r.remote(ctx, "document")
	if err != nil {
		return nil, err
	}
	defer releaseObject(r.world.session, doc)
	return r.axMatches(ctx, doc, q, roles)
}

// remote evaluates an expression of ours to a remote object.
func (r *resolver) remote(ctx context.Context, expression string) (string, error) {
	res, err := r.page.evaluateOwn(ctx, r.world, expression)
	if err != nil {
		return "", err
	}
	if res.Exception != nil {
		return "", thrown(res.Exception)
	}
	return res.Result.ObjectID, nil
}

// hold gives the query script the elements with these backend node ids. It returns
// the number they are held under and how many are still in the document. With parts,
// what controls are made of may be among them.
func (r *resolver) hold(ctx context.Context, ids []int, parts bool) (key, alive int, err error) {
	objects := r.objects(ctx, ids)
	defer func() {
		for _, o := range objects {
			releaseObject(r.world.session, o.ObjectID)
		}
	}()
	var res evaluated
	err = r.world.session.call(ctx, callFunctionParams{
		FunctionDeclaration: fmt.Sprintf("function(...elements){return JSON.stringify(%s.hold(elements,%t))}", r.page.chrome.scripts.token, parts),
		ExecutionContextID:  r.world.id,
		Arguments:           objects,
	}, &res)
	if err != nil {
		return 0, 0, evaluationRefused(err)
	}
	var text string
	var held struct{ Key, Alive int }
	if err := errors.Join(json.Unmarshal(res.Result.Value, &text), json.Unmarshal([]byte(text), &held)); err != nil {
		return 0, 0, fmt.Errorf("holding elements: %w", err)
	}
	r.held = append(r.held, held.Key)
	return held.Key, held.Alive, nil
}

// objects gives nodes remote objects in the world, all commands under way at once.
// Nodes that left the document are left out.
func (r *resolver) objects(ctx context.Context, ids []int) []callArgument {
	type answer struct {
		at int
		id string
	}
	answers := make(chan answer, len(ids))
	for i, id := range ids {
		req := proto.DOMResolveNode{
			BackendNodeID: proto.DOMBackendNodeID(id), ExecutionContextID: proto.RuntimeExecutionContextID(r.world.id),
		}
		r.world.session.then(req, func(raw json.RawMessage, err error) {
			var res struct {
				Object remoteObject `json:"object"`
			}
			if err != nil || json.Unmarshal(raw, &res) != nil {
				res.Object.ObjectID = ""
			}
			answers <- answer{i, res.Object.ObjectID}
		})
	}
	ordered := make([]callArgument, len(ids))
	for range ids {
		select {
		case a := <-answers:
			ordered[a.at].ObjectID = a.id
		case <-ctx.Done():
			return nil
		}
	}
	return slices.DeleteFunc(ordered, func(a callArgument) bool { return a.ObjectID == "" })
}

// release lets the held elements go; nothing waits for it.
func (r *resolver) release() {
	for _, key := range r.held {
		r.world.session.send(evaluateParams{
			Expression:      fmt.Sprintf("%s.drop(%d)", r.page.chrome.scripts.token, key),
			UniqueContextID: r.world.uniqueID,
		})
	}
}
