package browser

import (
	"encoding/json"
	"time"
)

// responseBuffer is how many bytes of response bodies a page keeps for us.
const responseBuffer = 32 << 20

// networkEnable has the fields of Network.enable that rod's type lacks as plain numbers.
type networkEnable struct {
	MaxTotalBufferSize    int `json:"maxTotalBufferSize"`
	MaxResourceBufferSize int `json:"maxResourceBufferSize"`
}

func (networkEnable) ProtoReq() string { return "Network.enable" }

// traffic knows which requests of a page are on their way. Streams that stay open
// by design (EventSource, WebSocket, pings) are not waited for.
type traffic struct {
	open map[string]string // loader id by request id
	last time.Time         // of the last request event
}

func newTraffic() traffic {
	return traffic{open: make(map[string]string), last: time.Now()}
}

// newDocument drops the requests of documents that are no more.
func (t *traffic) newDocument(loaderID string) {
	for id, loader := range t.open {
		if loader != loaderID {
			delete(t.open, id)
		}
	}
}

type requestEvent struct {
	RequestID string `json:"requestId"`
	LoaderID  string `json:"loaderId"`
	Type      string `json:"type"`
}

// networkEvent keeps the count of open requests.
func (p *Page) networkEvent(s *session, e event) {
	switch e.Method {
	case "Network.requestWillBeSent", "Network.loadingFinished", "Network.loadingFailed":
	default:
		return
	}
	var params requestEvent
	if json.Unmarshal(e.Params, &params) != nil {
		return
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	key := s.id + "/" + params.RequestID
	p.net.last = time.Now()
	if e.Method != "Network.requestWillBeSent" {
		delete(p.net.open, key)
		p.broadcast()
		return
	}
	switch params.Type {
	case "EventSource", "WebSocket", "Ping", "CSPViolationReport":
		return
	}
	p.net.open[key] = params.LoaderID
	p.broadcast()
}
