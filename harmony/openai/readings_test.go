package openai

import "strings"

// reading is one row: a reply, and what a lenient reader makes of it, in shorthand.
type reading struct {
	name, reply string
	messages    string // shown
	chat        string // the chat form: thinking, content, calls
	problems    string // kind[start,end)
	strict      int64  // the offset at which a strict reader ends, -1 where it reads the same
}

// long writes out the shorthand for markers.
var long = strings.NewReplacer("{S}", MarkStart, "{E}", MarkEnd, "{M}", MarkMessage, "{C}", MarkChannel,
	"{K}", MarkConstrain, "{R}", MarkReturn, "{L}", MarkCall).Replace

var readings = []reading{
	// The notes. Their own examples have no problems.
	{"final", "{C}final{M}2 + 2 = 4.{R}", `assistant #final "2 + 2 = 4." return`, `content "2 + 2 = 4."`, "", -1},
	{"analysis and final", "{C}analysis{M}Simple.{E}{S}assistant{C}final{M}4.{R}", `assistant #analysis "Simple." end; assistant #final "4." return`, `thinking "Simple." content "4."`, "", -1},
	{"recipient behind the channel", `{C}commentary to=functions.ping {K}json{M}{"location":"Tokyo"}{L}`, `assistant to=functions.ping #commentary (<|constrain|>json) "{\"location\":\"Tokyo\"}" call`, `ping{"location": "Tokyo"}`, "", -1},
	{"recipient before the channel", ` to=functions.ping{C}commentary json{M}{}{L}`, `assistant to=functions.ping #commentary (json) "{}" call`, `ping{}`, "", -1},
	{"the same with a constrain", ` to=functions.ping{C}commentary {K}json{M}{}{L}`, `assistant to=functions.ping #commentary (<|constrain|>json) "{}" call`, `ping{}`, "", -1},
	{"preamble and call", "{C}commentary{M}Look.{E}{S}assistant to=functions.ping{C}commentary {K}json{M}{}{L}", `assistant #commentary "Look." end; assistant to=functions.ping #commentary (<|constrain|>json) "{}" call`, `content "Look." ping{}`, "", -1},
	{"browser", ` to=browser.search{C}analysis {K}json{M}{"query":"x"}{L}`, `assistant to=browser.search #analysis (<|constrain|>json) "{\"query\":\"x\"}" call`, `browser.search{"query": "x"}`, "", -1},
	{"python takes code", "{C}analysis to=python code{M}sum(i*i for i in range(1, 6)){L}", `assistant to=python #analysis (code) "sum(i*i for i in range(1, 6))" call`, `python"sum(i*i for i in range(1, 6))"`, "", -1},
	{"citation", "{C}final{M}0.5%〖13†L120-L122〗{R}", `assistant #final "0.5%〖13†L120-L122〗" return`, `content "0.5%〖13†L120-L122〗"`, "", -1},
	{"reserved marker", "{C}final{M}Hello<|reserved_200015|>!{E}", `assistant #final "Hello!" end`, `content "Hello!"`, "bad_syntax[32,51)", -1},
	{"edges of a text", "{C}final{M}x<|endoftext|>y{E}", `assistant #final "xy" end`, `content "xy"`, "bad_syntax[28,41)", -1},
	{"unpublished marker in a header", "{C}final<|refusal|>{M}No.{E}", `assistant #final "No." end`, `content "No."`, "bad_syntax[0,38)", 16},
	{"nearly a marker", "{C}final{M}a <|reserved_20001|> <|en d|> <<|x{R}", `assistant #final "a <|reserved_20001|> <|en d|> <<|x" return`, `content "a <|reserved_20001|> <|en d|> <<|x"`, "", -1},
	// The cases of reply-syntaxes-spec.md, section 16, that say more.
	{"no constrain", "{C}commentary to=functions.ping{M}{}{L}", `assistant to=functions.ping #commentary "{}" call`, `ping{}`, "", -1},
	{"call on the analysis channel", "{C}analysis to=functions.ping code{M}{}{L}", `assistant to=functions.ping #analysis (code) "{}" call`, `ping{}`, "", -1},
	{"two calls, one empty", "{C}commentary to=functions.ping {K}json{M}{}{L}{S}assistant{C}commentary to=functions.ping{M}{L}", `assistant to=functions.ping #commentary (<|constrain|>json) "{}" call; assistant to=functions.ping #commentary "" call`, `ping{} ping{}`, "", -1},
	{"unknown tool", "{C}commentary to=functions.nope json{M}{}{L}", `assistant to=functions.nope #commentary (json) "{}" call`, `nope{}`, "unknown_action[55,57)", -1},
	{"bad arguments", `{C}commentary to=functions.get_weather json{M}{"city": 1}{L}`, `assistant to=functions.get_weather #commentary (json) "{\"city\": 1}" call`, `get_weather{"city": 1}`, "bad_args[62,73)", -1},
	{"broken JSON", `{C}commentary to=functions.ping json{M}{"city": {L}`, `assistant to=functions.ping #commentary (json) "{\"city\": " call`, `ping"{\"city\": "`, "bad_args[55,64)", -1},
	{"final ends with end", "{C}final{M}Hi.{E}", `assistant #final "Hi." end`, `content "Hi."`, "", -1},
	{"doubled channel", "{C}commentary to=functions.ping{C}commentary json{M}{}{L}", `assistant to=functions.ping #commentary (json) "{}" call`, `ping{}`, "", -1},
	{"words of a header in text", "{C}final{M}use to=functions.ping{R}", `assistant #final "use to=functions.ping" return`, `content "use to=functions.ping"`, "", -1},
	{"no channel", "{M}Hi.{R}", `assistant "Hi." return`, ``, "bad_syntax[0,11)", -1},
	{"junk in the header", "{C}commentary?? text{M}Hi.{R}", `assistant #commentary?? (text) "Hi." return`, ``, "bad_syntax[0,39)", -1},
	{"cut in the header", "{C}ana", "", ``, "unclosed[0,14)", 14},
	{"cut in a marker", "<|chan", `assistant "<|chan" misread`, ``, "bad_syntax[0,6)", 6},
	{"cut in the analysis", "{C}analysis{M}pl", `assistant #analysis "pl"`, `thinking "pl"`, "unclosed_think[30,32) unclosed[32,32)", -1},
	{"call without a close", "{C}commentary to=functions.ping {K}json{M}{}", `assistant to=functions.ping #commentary (<|constrain|>json) "{}"`, `ping{}`, "unclosed[70,70)", -1},
	{"call ended by a start", "{C}commentary to=functions.ping{M}{}{S}assistant{C}final{M}b{R}", `assistant to=functions.ping #commentary "{}"; assistant #final "b" return`, `content "b" ping{}`, "unclosed[52,61)", 52},
	// bug-reports.md, by its numbers.
	{"1: a refusal without a header", "I cannot help with that.{R}", `assistant "I cannot help with that." return misread`, ``, "bad_syntax[0,24)", 24},
	{"2: final without a message marker", "{C}analysis{M}plan{E}{S}assistant{C}final The answer is 4.{R}", `assistant #analysis "plan" end; assistant #final "The answer is 4." return`, `thinking "plan" content "The answer is 4."`, "bad_syntax[41,92)", 92},
	{"2: the same in the first message", "{C}final The answer is 4.{R}", `assistant #final "The answer is 4." return`, `content "The answer is 4."`, "bad_syntax[0,33)", 33},
	{"4: junk behind the channel", "{C}commentary?{M}x{E}{S}assistant{C}final{M}ok{R}", `assistant #commentary? "x" end; assistant #final "ok" return`, `content "ok"`, "bad_syntax[0,33)", -1},
	{"4: a second content type", "{C}commentary to=functions.ping code json{M}{}{L}", `assistant to=functions.ping #commentary (code) "{}" call`, `ping{}`, "bad_syntax[0,60)", 45},
	{"5: a doubled start", "{C}analysis{M}a{E}{S}{S}assistant{C}final{M}b{R}", `assistant #analysis "a" end; assistant #final "b" return`, `thinking "a" content "b"`, "bad_syntax[38,47)", 47},
	{"5: a doubled author", "{C}analysis{M}a{E}{S}assistantassistant{C}final{M}b{R}", `assistant #analysis "a" end; assistant #final "b" return`, `thinking "a" content "b"`, "bad_syntax[38,92)", 47},
	{"5: a channel without a name", "{C}{M}x{E}", `assistant "x" end`, ``, "bad_syntax[0,22) bad_syntax[0,22)", 0},
	{"5: a channel as the author", "{C}final{M}a{E}{S}commentary{M}x{E}", `assistant #final "a" end; assistant "x" end misread`, `content "a"`, "bad_syntax[35,65)", 44},
	{"5: no start behind a call", "{C}commentary to=functions.ping{M}{}{L}commentary{C}commentary to=functions.ping{M}{}{L}", `assistant to=functions.ping #commentary "{}" call; assistant to=functions.ping #commentary "{}" call`, `ping{} ping{}`, "bad_syntax[70,81) text_outside[60,70)", 60},
	{"6: a marker behind the name", `{C}commentary to=functions.ping{C}commentary{M}{"p":1}{L}`, `assistant to=functions.ping #commentary "{\"p\":1}" call`, `ping{"p": 1}`, "", -1},
	{"7: a content type is no recipient", `{C}final {K}json{M}{"ok":true}{R}`, `assistant #final (<|constrain|>json) "{\"ok\":true}" return`, `content "{\"ok\":true}"`, "", -1},
	{"8: a call on the analysis channel", `{C}analysis to=functions.ping code{M}{"p":"x"}{L}`, `assistant to=functions.ping #analysis (code) "{\"p\":\"x\"}" call`, `ping{"p": "x"}`, "", -1},
	{"13: markers were stripped", "analysisWe think.assistantfinalFour", `assistant "analysisWe think.assistantfinalFour" misread`, ``, "bad_syntax[0,35)", 35},
	{"15: a bracket too many", `{C}commentary to=functions.ping json{M}{"a":1}]{L}`, `assistant to=functions.ping #commentary (json) "{\"a\":1}]" call`, `ping"{\"a\":1}]"`, "bad_args[55,63)", -1},
	// Others that are met.
	{"the turn's opening again", "{S}assistant{C}final{M}x{E}", `assistant #final "x" end`, `content "x"`, "", -1},
	{"the author again", "assistant{C}final{M}x{E}", `assistant #final "x" end`, `content "x"`, "", -1},
	{"a bare name", "{C}commentary to=ping json{M}{}{L}", `assistant to=ping #commentary (json) "{}" call`, `ping{}`, "", -1},
	{"a name without to=", "{C}commentary functions.ping json{M}{}{L}", `assistant to=functions.ping #commentary (json) "{}" call`, `ping{}`, "", -1},
	{"a call without a recipient", "{C}commentary get_weather{M}{}{L}", `assistant #commentary (get_weather) "{}" call`, `content "{}"`, "bad_syntax[46,54)", -1},
	{"a header that swallows a message", "{C}final a{E}{S}assistant{C}final{M}b{R}", `assistant #final "a" end; assistant #final "b" return`, `content "a\nb"`, "bad_syntax[0,18)", 18},
	{"a second content type of its own", "{C}final {K}a {K}b{M}x{E}", `assistant #final (<|constrain|>a) "x" end`, `content "x"`, "bad_syntax[0,57)", 32},
	{"another channel", "{C}final{C}analysis{M}x{E}", `assistant #final "x" end`, `content "x"`, "bad_syntax[0,46)", 16},
	{"a recipient without a name", " to={C}final{M}x{E}", `assistant #final "x" end`, `content "x"`, "bad_syntax[0,31)", 1},
	{"no author", "{C}final{M}a{E}{S}to=f{C}commentary{M}x{E}", `assistant #final "a" end; assistant to=f #commentary "x" end`, `content "a" f"x"`, "bad_syntax[35,80) bad_args[80,81) unknown_action[80,81)", 44},
	{"a type alone", "{C}commentary json{M}{}{E}", `assistant #commentary (json) "{}" end`, `content "{}"`, "", -1},
	{"glued type", "{C}commentary to=functions.ping{K}json{M}{}{L}", `assistant to=functions.ping #commentary (<|constrain|>json) "{}" call`, `ping{}`, "", -1},
	{"spaced type", "{C}commentary to=functions.ping {K} json{M}{}{L}", `assistant to=functions.ping #commentary (<|constrain|>json) "{}" call`, `ping{}`, "bad_syntax[0,69)", 53},
	{"two recipients", "{C}commentary to=a to=b{M}{}{L}", `assistant to=a #commentary "{}" call misread`, ``, "bad_syntax[0,42)", 27},
	{"to all", "{C}commentary to=all{M}x{E}", `assistant to=all #commentary "x" end`, `content "x"`, "", -1},
	{"a named assistant", "{C}analysis{M}x{E}{S}assistant:bob to=all{C}commentary{M}1{E}", `assistant #analysis "x" end; assistant:bob to=all #commentary "1" end`, `thinking "x" content "1"`, "", -1},
	{"a result in the reply", "{C}analysis{M}x{E}{S}functions.f to=assistant{C}commentary{M}1{E}", `assistant #analysis "x" end; functions.f to=assistant #commentary "1" end`, `thinking "x"`, "bad_syntax[38,103)", -1},
	{"text between messages", "{C}final{M}a{E}junk{S}assistant{C}final{M}b{R}", `assistant #final "a" end; assistant #final "b" return`, `content "a\nb"`, "text_outside[35,39)", 35},
	{"lines between messages", "{C}analysis{M}a{E}\n{S}assistant{C}final{M}b{R}", `assistant #analysis "a" end; assistant #final "b" return`, `thinking "a" content "b"`, "", 38},
	{"text behind the end", "{C}commentary to=functions.ping{M}{}{L}rest", `assistant to=functions.ping #commentary "{}" call`, `ping{}`, "text_after_action[60,64)", 60},
	{"a channel in the body", "{C}analysis{M}plan{C}final{M}Hi{R}", `assistant #analysis "plan"; assistant #final "Hi" return`, `thinking "plan" content "Hi"`, "bad_syntax[34,45)", 34},
	{"markers in the body", "{C}final{M}a{M}b{K}c{R}", `assistant #final "abc" return`, `content "abc"`, "bad_syntax[28,39) bad_syntax[40,53)", 28},
	{"white space is text", "{C}final{M}\n x \n{E}", `assistant #final "\n x \n" end`, `content "\n x \n"`, "", -1},
	{"empty body", "{C}final{M}", `assistant #final ""`, `content ""`, "unclosed[27,27)", -1},
	{"nothing", "", "", ``, "unclosed[0,0)", 0},
	{"only a channel", "{C}final{E}", `assistant #final "" end`, `content ""`, "bad_syntax[0,16)", 16},
	{"a channel behind space", "{C}  final {M}x{E}", `assistant #final "x" end`, `content "x"`, "bad_syntax[0,30)", 11},
	{"space around words", "{C}commentary   to=functions.ping   {K}json {M}{}{L}", `assistant to=functions.ping #commentary (<|constrain|>json) "{}" call`, `ping{}`, "", -1},
	{"a call without a message marker", "{C}commentary to=functions.ping {}{L}", `assistant to=functions.ping #commentary "to=functions.ping {}" call misread`, ``, "bad_syntax[0,42)", 42},
	{"ends twice", "{C}final{M}a{E}{E}", `assistant #final "a" end`, `content "a"`, "bad_syntax[35,42)", 35},
	{"an argument given twice", `{C}commentary to=functions.ping json{M}{"a":1,"a":2}{L}`, `assistant to=functions.ping #commentary (json) "{\"a\":1,\"a\":2}" call`, `ping{"a": 2}`, "bad_args[55,68)", -1},
}
