// Command jsonpath prints the output of kubectl's JSONPath templates for one document: { document, cases: [[template, output or null]] }.
// null stands for a rejected template. Missing keys print nothing, as with kubectl.
//
// Run in tools/oracle: go run ./facts/jsonpath > ../../packages/core/src/jsonpath/template-cases.gen.json
package main

import (
	"bytes"
	"encoding/json"
	"os"

	"k8s.io/client-go/util/jsonpath"
)

const document = `{
  "kind": "List",
  "items": [
    {"kind": "None", "metadata": {"name": "127.0.0.1", "labels": {"kubernetes.io/hostname": "one"}}, "status": {"capacity": {"cpu": "4"}, "addresses": [{"type": "LegacyHostIP", "address": "127.0.0.1"}]}},
    {"kind": "None", "metadata": {"name": "127.0.0.2"}, "status": {"capacity": {"cpu": "8"}, "addresses": [{"type": "LegacyHostIP", "address": "127.0.0.2"}, {"type": "another", "address": "127.0.0.3"}], "ready": true, "count": 3, "load": 0.5, "nothing": null}}
  ],
  "users": [{"name": "myself", "user": {}}, {"name": "e2e", "user": {"username": "admin", "password": "secret"}}],
  "numbers": [1, 2, 3, 4, 5]
}`

var templates = []string{
	"{}", "", "kind is {.kind}", "{.kind}", "{$.kind}", "{@.kind}", "{['kind']}", "{.items[*].metadata.name}", "{..metadata.name}",
	"{range .items[*]}{.metadata.name}{\"\\n\"}{end}", "{range .items[*]}[{.metadata.name}, {.status.capacity}] {end}",
	"{.users[?(@.name==\"e2e\")].user.password}", "{.users[?(@.name=='e2e')].user.password}", "{.items[0].metadata.labels.kubernetes\\.io/hostname}",
	"{.items[0]['metadata.name', 'status.capacity']}", "{.numbers[0]}", "{.numbers[-1]}", "{.numbers[1:3]}", "{.numbers[:2]}", "{.numbers[3:]}", "{.numbers[::2]}",
	"{.numbers[-2:]}", "{.numbers[0,2]}", "{.numbers[*]}", "{.numbers}", "{.items[1].status}", "{.missing}", "{.items[*].status.addresses[?(@.type==\"another\")].address}",
	"{.items[?(@.status.ready==true)].metadata.name}", "{.items[?(@.status.ready)].metadata.name}", "{.items[1].status.nothing}",
	"{.items[*]['metadata.name']}", "{'text'}", "{\"a\"}{\"b\"}", "{.kind", "{range .items[*]}", "{end}", "{.items[}",
	"{range .users[*]}{.name}={.user.username};{end}", "{.items..address}", "{..cpu}", "{.items[*].kind}{.kind}", "a{\"\\t\"}b", "{.items[1].status.load}",
	"{range .items[*]}{range .status.addresses[*]}{.address} {end}|{end}", "{.users[*].name} and {.kind}", "{.users.*}",
}

func main() {
	var data any
	if err := json.Unmarshal([]byte(document), &data); err != nil {
		panic(err)
	}
	cases := [][]any{}
	for _, template := range templates {
		path := jsonpath.New("case")
		path.AllowMissingKeys(true)
		var output bytes.Buffer
		err := path.Parse(template)
		if err == nil {
			err = path.Execute(&output, data)
		}
		if err != nil {
			cases = append(cases, []any{template, nil})
		} else {
			cases = append(cases, []any{template, output.String()})
		}
	}
	encoder := json.NewEncoder(os.Stdout)
	encoder.SetEscapeHTML(false)
	if err := encoder.Encode(map[string]any{"document": data, "cases": cases}); err != nil {
		panic(err)
	}
}
