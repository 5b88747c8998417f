package runtime

// maxCachedPrograms bounds the programs a worker keeps compiled. A program of a
// pack takes some 50 KB.
const maxCachedPrograms = 256

// programCache keeps compiled programs by key and forgets the least recently
// used. It belongs to one goroutine.
type programCache struct {
	entries map[string]*cachedProgram
	clock   uint64
}

type cachedProgram struct {
	program compiled
	used    uint64
}

func newProgramCache() *programCache {
	return &programCache{entries: map[string]*cachedProgram{}}
}

func (c *programCache) get(key string) compiled {
	e := c.entries[key]
	if e == nil {
		return nil
	}
	c.clock++
	e.used = c.clock
	return e.program
}

func (c *programCache) put(key string, program compiled) {
	if len(c.entries) >= maxCachedPrograms {
		oldest := ""
		for k, e := range c.entries {
			if oldest == "" || e.used < c.entries[oldest].used {
				oldest = k
			}
		}
		delete(c.entries, oldest)
	}
	c.clock++
	c.entries[key] = &cachedProgram{program: program, used: c.clock}
}
