package ops

import (
	"errors"
	"net/http"

	"egod/internal/fetch"
)

// fetchFailure turns an error of the HTTP client into an *Error. Context errors
// pass unchanged, as in failure.
func fetchFailure(err error) error {
	return fetchFailureUnder(Policy{}, err)
}

// fetchFailureUnder is fetchFailure for a request that was under a policy.
func fetchFailureUnder(p Policy, err error) error {
	var (
		denied    *fetch.DeniedError
		request   *fetch.RequestError
		timeout   *fetch.TimeoutError
		limit     *fetch.LimitError
		transport *fetch.TransportError
	)
	switch {
	case errors.As(err, new(*Error)):
		return failure(err)
	case errors.As(err, &denied):
		return deniedFetch(p, denied)
	case errors.As(err, &request):
		e := Errorf(KindInvalidParams, "%v", err).With("path", "$."+request.Field)
		e.Err = err
		return e
	case errors.As(err, &timeout):
		return (&Error{
			Kind: KindTimeout, Message: err.Error(), Hint: "pass a larger timeout, in seconds", Retryable: true, Err: err,
		}).With("timeoutMs", timeout.Timeout.Milliseconds()).With("executionStopped", true).
			With("mayHaveLateEffects", timeout.Method != http.MethodGet && timeout.Method != http.MethodHead)
	case errors.As(err, &limit):
		return (&Error{Kind: KindLimitExceeded, Message: err.Error(), Err: err}).With("limit", "fetch-body")
	case errors.As(err, &transport):
		return (&Error{Kind: KindPageError, Message: oneLine(err.Error()), Retryable: true, Err: err}).
			With("url", transport.URL).With("method", transport.Method)
	}
	return err
}

func deniedFetch(p Policy, denied *fetch.DeniedError) *Error {
	e := (&Error{Kind: KindPolicyDenied, Message: denied.Error(), Err: denied}).
		With("rule", denied.Rule).With("url", denied.URL)
	if denied.Address != "" {
		e.With("address", denied.Address)
	}
	return p.refusedAddress(e, denied.Rule)
}

// shownBody is how much of the body of a failed fetch is kept for the caller.
const shownBody = 2000

// statusFailure reports an answer whose status is not a success, in the words
// that packs look for.
func statusFailure(method, url string, status int, body string) *Error {
	runes := []rune(body)
	if len(runes) > shownBody {
		body = string(runes[:shownBody])
	}
	e := Errorf(KindPageError, "%s %s failed: HTTP %d", method, url, status).
		With("url", url).With("method", method).With("status", status).With("body", body)
	e.Retryable = status == http.StatusTooManyRequests || status == http.StatusRequestTimeout || status >= http.StatusInternalServerError
	return e
}
