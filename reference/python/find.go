package python

// Find gives the environment of the lock where it is in place and whole; it
// builds nothing and writes nothing. The error is a *DamageError, whose Path is
// "." where there is no environment, a *SetupError or a *LockError.
func Find(o Options) (*Env, error) {
	if len(o.Lock.Text) == 0 {
		o.Lock = DefaultLock()
	}
	if err := o.complete(); err != nil {
		return nil, err
	}
	return store(o.CacheDir).open(o.Lock)
}
