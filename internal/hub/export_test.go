package hub

// UseMemory lets a test say how much memory lives, under which limit.
func (c *Config) UseMemory(live func() (live, limit uint64)) { c.memory = live }
