package fuzz

import (
	"regexp"
	"strings"
)

// constructs are all the keys and constructs of response templates.
var constructs = strings.Split(`version
version true
defaults
defaults: list under repeats
defaults: text under join
defaults: null
fields
start_anchor text
start_anchor list
start_anchor_pattern
open text
open list
open_pattern
no open
close text
close list
close_pattern
no close
no open, close text
no open, close list
no open, close_pattern
content
content absent
content_args
repeats
join
optional
optional false
transform text
transform list
transform object
transform: capture of the open
transform: capture of the close
transform: content
transform: path into the content
transform_each
kind text
kind int
kind float
kind bool
kind json
kind xml-inline
kind kv-lines
kind python-call-list
text: strip
int: strip
float: strip
bool: strip
json: strip
json: allow_non_json
json: unquoted_keys
json: string_delims
xml-inline: tag_pattern
xml-inline: merge_duplicates
xml-inline: value_parser
xml-inline: no value group
kv-lines: line_sep
kv-lines: line_sep null
kv-lines: kv_sep
kv-lines: strip
kv-lines: value_parser
value_parser: default
value_parser: args
value_parser kind bool
value_parser kind float
value_parser kind int
value_parser kind json
value_parser kind kv-lines
value_parser kind python-call-list
value_parser kind xml-inline
pattern: start
pattern: \A
pattern: end
pattern: \Z
pattern: \b
pattern: \B
pattern: \s
pattern: \S
pattern: \w
pattern: \W
pattern: \d
pattern: \D
pattern: any character
pattern: class
pattern: negated class
pattern: alternation
pattern: group
pattern: named group
pattern: name twice
pattern: greedy
pattern: lazy
pattern: optional
pattern: counted
pattern: counted without minimum
pattern: look ahead
pattern: negative look ahead
pattern: look behind
pattern: negative look behind
pattern: reference by number
pattern: reference by name
pattern: flags
pattern: flags of a group`, "\n")

// patternConstructs are found in a pattern's text.
var patternConstructs = map[string]*regexp.Regexp{
	"pattern: start":                   regexp.MustCompile(`(^|[(|])\^`),
	"pattern: \\A":                     regexp.MustCompile(`\\A`),
	"pattern: end":                     regexp.MustCompile(`\$($|[)|])`),
	"pattern: \\Z":                     regexp.MustCompile(`\\Z`),
	"pattern: \\b":                     regexp.MustCompile(`\\b`),
	"pattern: \\B":                     regexp.MustCompile(`\\B`),
	"pattern: \\s":                     regexp.MustCompile(`\\s`),
	"pattern: \\S":                     regexp.MustCompile(`\\S`),
	"pattern: \\w":                     regexp.MustCompile(`\\w`),
	"pattern: \\W":                     regexp.MustCompile(`\\W`),
	"pattern: \\d":                     regexp.MustCompile(`\\d`),
	"pattern: \\D":                     regexp.MustCompile(`\\D`),
	"pattern: any character":           regexp.MustCompile(`\.[*+]`),
	"pattern: class":                   regexp.MustCompile(`\[[^^\\]`),
	"pattern: negated class":           regexp.MustCompile(`\[\^`),
	"pattern: alternation":             regexp.MustCompile(`[^\\]\|`),
	"pattern: group":                   regexp.MustCompile(`\(\?:`),
	"pattern: named group":             regexp.MustCompile(`\(\?P<`),
	"pattern: name twice":              regexp.MustCompile(`P<n>.*P<n>`),
	"pattern: greedy":                  regexp.MustCompile(`[*+]($|[^?])`),
	"pattern: lazy":                    regexp.MustCompile(`[*+]\?`),
	"pattern: optional":                regexp.MustCompile(`[\w)]\?`),
	"pattern: counted":                 regexp.MustCompile(`\{\d+(,\d*)?\}`),
	"pattern: counted without minimum": regexp.MustCompile(`\{,\d+\}`),
	"pattern: look ahead":              regexp.MustCompile(`\(\?=`),
	"pattern: negative look ahead":     regexp.MustCompile(`\(\?!`),
	"pattern: look behind":             regexp.MustCompile(`\(\?<=`),
	"pattern: negative look behind":    regexp.MustCompile(`\(\?<!`),
	"pattern: reference by number":     regexp.MustCompile(`\\[1-9]`),
	"pattern: reference by name":       regexp.MustCompile(`\(\?P=`),
	"pattern: flags":                   regexp.MustCompile(`\(\?[ims]+\)`),
	"pattern: flags of a group":        regexp.MustCompile(`\(\?[ims]+:`),
}
