package response

import (
	"slices"

	"github.com/beamdiff/beamdiff/harmony/response/rx"
	"github.com/beamdiff/beamdiff/harmony/value"
)

// anchor compiles a start, open or close anchor; nil where there is none.
func anchor(scope string, o *value.Object, literalKey, patternKey string) (*rx.Pattern, *Error) {
	lit, hasLit := o.Get(literalKey)
	pat, hasPat := o.Get(patternKey)
	switch {
	case hasLit && hasPat:
		return nil, fail(KindTemplate, "%s: give '%s' or '%s', not both", scope, literalKey, patternKey)
	case hasLit:
		texts, err := literals(scope, literalKey, lit)
		if err != nil {
			return nil, err
		}
		return rx.Literals(texts...), nil
	case hasPat:
		s, ok := pat.AsString()
		if !ok {
			return nil, fail(KindType, "%s: first argument must be a string or compiled pattern, %s is %s", scope, patternKey, pat.Kind().PyType())
		}
		p, err := rx.Compile(s)
		if err != nil {
			return nil, patternError(KindTemplate, scope+": "+patternKey+" cannot be read: ", err)
		}
		return p, nil
	}
	return nil, nil
}

func literals(scope, key string, v value.Value) (texts []string, err *Error) {
	if s, ok := v.AsString(); ok {
		texts = []string{s}
	} else if a, ok := v.AsArray(); ok {
		if a.Len() == 0 {
			return nil, fail(KindTemplate, "%s: '%s' is an empty list", scope, key)
		}
		for _, item := range a.All() {
			s, ok := item.AsString()
			if !ok {
				return nil, fail(KindTemplate, "%s: a text in '%s' is no string", scope, key)
			}
			texts = append(texts, s)
		}
	} else {
		return nil, fail(KindTemplate, "%s: '%s' is neither a text nor a list of texts but %s", scope, key, v.Kind().PyType())
	}
	if slices.Contains(texts, "") {
		return nil, fail(KindTemplate, "%s: a text in '%s' is empty", scope, key)
	}
	for _, text := range texts { // the reference cannot be given any that is not; half a character must not match
		if bad := value.InvalidWTF8(text); bad >= 0 {
			return nil, fail(KindUnsupported, "%s: a text in '%s' is not UTF-8, at byte %d", scope, key, bad)
		}
	}
	return texts, nil
}
