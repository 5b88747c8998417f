package browser

import (
	"context"
	"fmt"
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
	var ids []int
	var err error
	switch q.Kind {
	case "role":
		ids, err = r.roleIDs(ctx, q.role)
	case "ref":
		ids = []int{q.ref}
	default:
		return nil
	}
	if err != nil {
		return err
	}
	key, err := r.hold(ctx, ids, q.Kind == "ref")
	if err != nil {
		return err
	}
	if q.role != nil && q.role.IncludeHidden {
		q.Hidden = &hiddenRole{Role: q.role.Role, Match: q.role.Name}
	}
	q.Kind, q.Held = "held", key
	return nil
}

func (r *resolver) roleIDs(ctx context.Context, q *roleQuery) ([]int, error) {
	doc, err := r.remote(ctx, "document")
	if err != nil {
		return nil, err
	}
	defer releaseObject(r.world.session, doc)
	return r.page.axMatches(ctx, r.world.session, doc, q)
}

// remote evaluates an expression of ours to a remote object.
func (r *resolver) remote(ctx context.Context, expression string) (string, error) {
	res, err := r.page.evaluateIn(ctx, r.world, expression)
	if err != nil {
		return "", err
	}
	if res.Exception != nil {
		return "", thrown(res.Exception)
	}
	return res.Result.ObjectID, nil
}

// hold gives the query script the elements with these backend node ids.
func (r *resolver) hold(ctx context.Context, ids []int, isRef bool) (int, error) {
	objects := make([]callArgument, 0, len(ids))
	defer func() {
		for _, o := range objects {
			releaseObject(r.world.session, o.ObjectID)
		}
	}()
	for _, id := range ids {
		object, err := resolveNode(ctx, r.world, id)
		if err != nil {
			if ctx.Err() != nil {
				return 0, err
			}
			if isRef {
				return 0, &queryProblemErr{Kind: "none", Message: fmt.Sprintf("Unknown ref: %d", id)}
			}
			continue // it left the document since the tree was read
		}
		objects = append(objects, callArgument{ObjectID: object})
	}
	var res evaluated
	err := r.world.session.call(ctx, callFunctionParams{
		FunctionDeclaration: fmt.Sprintf("function(...elements){return %s.hold(...elements)}", r.page.chrome.scripts.token),
		ExecutionContextID:  r.world.id,
		Arguments:           objects,
	}, &res)
	if err != nil {
		return 0, evaluationRefused(err)
	}
	var key int
	if _, err := fmt.Sscan(string(res.Result.Value), &key); err != nil {
		return 0, fmt.Errorf("holding elements: %w", err)
	}
	r.held = append(r.held, key)
	return key, nil
}

// release lets the held elements go; nothing waits for it.
func (r *resolver) release(context.Context) {
	for _, key := range r.held {
		r.world.session.send(evaluateParams{
			Expression:      fmt.Sprintf("%s.drop(%d)", r.page.chrome.scripts.token, key),
			UniqueContextID: r.world.uniqueID,
		})
	}
}
