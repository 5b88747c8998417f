package runtime

import (
	"os"
	"regexp"
	"strconv"
	"strings"
	"time"

	"github.com/dop251/goja"
	"golang.org/x/text/collate"
	"golang.org/x/text/language"
)

// localeMember is the part of native that locale.js uses.
func (r *gojaRealm) localeMember(name string) any {
	switch name {
	case "localZone":
		return localZone
	case "timeZone":
		return r.timeZone
	case "zoned":
		return r.zoned
	case "collate":
		return compareTexts
	}
	return nil
}

// localZone is the name of the zone that dates are shown in by default.
func localZone() string {
	if name := time.Local.String(); name != "Local" {
		return usualZone(name)
	}
	if target, err := os.Readlink("/etc/localtime"); err == nil {
		if _, name, ok := strings.Cut(target, "zoneinfo/"); ok {
			return usualZone(name)
		}
	}
	return "UTC"
}

// timeZone checks the name of a time zone and returns its usual spelling.
func (r *gojaRealm) timeZone(name string) string {
	if _, err := loadZone(name); err != nil {
		panic(r.newError("RangeError", "Invalid time zone specified: "+name))
	}
	return usualZone(name)
}

// usualZone is the name that the zones without an offset have in Node.
func usualZone(name string) string {
	switch strings.TrimPrefix(name, "Etc/") {
	case "utc", "UTC", "GMT", "UCT", "Universal", "Zulu":
		return "UTC"
	}
	return name
}

// offsetZone is a time zone that is given by its offset.
var offsetZone = regexp.MustCompile(`^([+-])([01]\d|2[0-3]):?([0-5]\d)?$`)

func loadZone(name string) (*time.Location, error) {
	switch name {
	case "utc", "UTC", "GMT", "Etc/UTC", "Etc/GMT", "":
		return time.UTC, nil
	}
	if m := offsetZone.FindStringSubmatch(name); m != nil {
		hours, _ := strconv.Atoi(m[2])
		minutes, _ := strconv.Atoi(m[3])
		offset := (hours*60 + minutes) * 60
		if m[1] == "-" {
			offset = -offset
		}
		return time.FixedZone(name, offset), nil
	}
	return time.LoadLocation(name)
}

// zoned takes a time in milliseconds apart in a time zone.
func (r *gojaRealm) zoned(ms float64, zone string) map[string]any {
	location, err := loadZone(zone)
	if err != nil {
		panic(r.newError("RangeError", "Invalid time zone specified: "+zone))
	}
	t := time.UnixMilli(int64(ms)).In(location)
	return map[string]any{
		"year": t.Year(), "month": int(t.Month()), "day": t.Day(), "weekday": int(t.Weekday()),
		"hour": t.Hour(), "minute": t.Minute(), "second": t.Second(), "ms": t.Nanosecond() / 1e6, "zone": zoneText(t),
	}
}

// zoneText is the short name of a zone as en-US shows it: the American zones by
// their letters, all others by their offset.
func zoneText(t time.Time) string {
	name, offset := t.Zone()
	switch name {
	case "UTC", "EST", "EDT", "CST", "CDT", "MST", "MDT", "PST", "PDT", "AKST", "AKDT", "HST":
		if offset <= 0 {
			return name
		}
	}
	if offset == 0 {
		return "GMT"
	}
	sign := "+"
	if offset < 0 {
		sign, offset = "-", -offset
	}
	text := "GMT" + sign + strconv.Itoa(offset/3600)
	if minutes := offset % 3600 / 60; minutes != 0 {
		text += ":" + string([]byte{'0' + byte(minutes/10), '0' + byte(minutes%10)})
	}
	return text
}

// compareTexts compares as Intl.Collator of en-US does.
func compareTexts(a, b string, numeric bool, sensitivity string) int {
	var options []collate.Option
	if numeric {
		options = append(options, collate.Numeric)
	}
	switch sensitivity {
	case "base":
		options = append(options, collate.IgnoreCase, collate.IgnoreDiacritics)
	case "accent":
		options = append(options, collate.IgnoreCase)
	}
	return collate.New(language.AmericanEnglish, options...).CompareString(a, b)
}

// newError makes an error of one of the language's own classes.
func (r *gojaRealm) newError(class, message string) *goja.Object {
	v, err := r.vm.New(r.vm.Get(class), r.vm.ToValue(message))
	if err != nil {
		return r.vm.NewTypeError(message)
	}
	return v
}
