package corpus

import (
	"fmt"
	"time"
)

// Date is a day, without a time and a zone.
type Date struct {
	Year  int
	Month time.Month
	Day   int
}

// ParseDate reads a day such as 2026-01-31.
func ParseDate(s string) (Date, error) {
	t, err := time.Parse(time.DateOnly, s)
	if err != nil {
		return Date{}, fmt.Errorf("%q is not a date like 2026-01-31", s)
	}
	return DateOf(t), nil
}

// DateOf is the day of a time, where the time is.
func DateOf(t time.Time) Date {
	y, m, d := t.Date()
	return Date{y, m, d}
}

// After tells whether d is a later day than e.
func (d Date) After(e Date) bool { return d.time().After(e.time()) }

func (d Date) String() string { return d.time().Format(time.DateOnly) }

func (d Date) time() time.Time { return time.Date(d.Year, d.Month, d.Day, 0, 0, 0, 0, time.UTC) }
