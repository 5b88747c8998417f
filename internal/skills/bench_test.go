package skills

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"testing"
	"time"
)

// manyPacks writes n packs with a note and two tools each.
func manyPacks(b *testing.B, n int) string {
	b.Helper()
	dir := b.TempDir()
	for i := range n {
		write(b, dir, fullPack(fmt.Sprintf("site-%05d", i)))
	}
	return dir
}

// catalogOf makes a catalog of n packs without a disk.
func catalogOf(n int) *Catalog {
	sources := make([]source, n)
	for i := range sources {
		id := fmt.Sprintf("site-%05d", i)
		p := &Pack{ID: id}
		for _, d := range []string{id + ".example.com", "*." + id + ".example.com"} {
			pat, _ := parsePattern(d)
			p.patterns = append(p.patterns, pat)
		}
		sources[i] = source{pack: p, dir: id}
	}
	return buildCatalog([]Root{{}}, sources, nil)
}

func BenchmarkLookup(b *testing.B) {
	for _, n := range []int{10, 10_000} {
		c := catalogOf(n)
		for _, bench := range []struct{ name, url string }{
			{"hit", "https://site-00007.example.com/a/b?c=d"},
			{"wildcard", "https://www.site-00007.example.com/"},
			{"miss", "https://a.b.c.nobody.org/x"},
			{"unicode", "https://bücher.example/x"},
		} {
			b.Run(fmt.Sprintf("%s/packs=%d", bench.name, n), func(b *testing.B) {
				b.ReportAllocs()
				for b.Loop() {
					c.Lookup(bench.url)
				}
			})
		}
	}
}

func BenchmarkLoad(b *testing.B) {
	for _, n := range []int{1_000, 10_000} {
		b.Run(fmt.Sprintf("packs=%d", n), func(b *testing.B) {
			dir := manyPacks(b, n)
			before := heap()
			var s *Store
			for b.Loop() {
				if s != nil {
					s.Close()
				}
				var err error
				if s, err = Open(context.Background(), Config{Roots: dirRoots(dir)}); err != nil {
					b.Fatal(err)
				}
			}
			b.ReportMetric(float64(heap()-before)/1e6, "heap-MB")
			if got := len(s.Catalog().Packs()); got != n {
				b.Fatalf("%d packs", got)
			}
			s.Close()
		})
	}
}

func heap() int64 {
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return int64(m.HeapAlloc)
}

func BenchmarkReloadOne(b *testing.B) {
	for _, n := range []int{10, 10_000} {
		b.Run(fmt.Sprintf("packs=%d", n), func(b *testing.B) {
			dir := manyPacks(b, n)
			changes := make(chan Change, 16)
			s, err := Open(context.Background(), Config{Roots: dirRoots(dir), OnChange: func(c Change) { changes <- c }})
			if err != nil {
				b.Fatal(err)
			}
			defer s.Close()
			note := filepath.Join(dir, "site-00005", "notes", "overview.md")
			i, worst := 0, time.Duration(0)
			for b.Loop() {
				i++
				start := time.Now()
				if err := os.WriteFile(note, fmt.Appendf(nil, "version %d", i), 0o644); err != nil {
					b.Fatal(err)
				}
				for noteIs("site-00005", fmt.Sprintf("version %d", i))(s.Catalog()) == false {
					<-changes
				}
				worst = max(worst, time.Since(start))
			}
			b.ReportMetric(float64(worst)/1e6, "worst-ms")
			b.ReportMetric(float64(b.Elapsed())/1e6/float64(i), "visible-ms")
		})
	}
}

func BenchmarkSuggest(b *testing.B) {
	c := catalogOf(10_000)
	for b.Loop() {
		c.Near("site-0004")
	}
}
