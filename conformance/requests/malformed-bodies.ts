import { type Method, post, type RequestStep, send, subject } from "../test-case.js";
import { defineWidget } from "./custom-kind.js";
import { configMap, configMaps, widget, widgets } from "./sample-objects.js";

const sent = (method: Method, path: string, type: string, strings: readonly string[]): RequestStep[] =>
  strings.map((text) => send(method, path, { text, headers: { "content-type": type } }));

const few = ["{", '{"a":1,}', '{"a":"\\x"}', '{"a":tru', "{a:1}", "[1 2]", '{"a":"x\ny"}', "{}x"];

/** Common mistakes. */
const yaml = [
  // Unterminated lists, maps and strings.
  ...["metadata: [", "metadata: {", "a: b: c", "a: 'x", 'a: "x', 'a: "\\q"'],
  // Indentation.
  ...["a:\n\tb: 1", "\ta: 1", "a: 1\n  b: 2", "a:\n  b: 1\n c: 2", "- a\nb: 1", "a: 1\n- b"],
  // Indicators.
  ...["a: *x", "a: &x", "a: @x", "a: `x", "a: %x", "%x\na: 1"],
  // Brackets.
  ...["a: [1, 2", "a: {b: 1", "a: [1, 2}", "a: {b: 1]", "a: ]", "a: }"],
  // Block scalars, tags, keys and documents.
  ...["a: |x\n b", "a: !!int x", "a: !!foo x", "a: 1\na: 2", "? a\n: b\n? [c]\n: d", "a: 1\n---\nb: 2", "a: 1\n...\nb"],
  // Trailing content after a value.
  ...["a\nb", "a: 1\nb", "a\nb: 1", "'a': 'b' c", '"a": "b" c', "a: [b] c", "a:\n- b\n c"],
  // Characters and escapes.
  ...["a: \u0001", 'a: "\\xZZ"', 'a: "\\u12"', "---\n---\na: [", "- - a\n - b", "a: >\n\n\tb", "!<a b: 1", "a: !"],
  // Keys that are not strings, and merge keys.
  ...["[a, b]: c", "{a: b}: c", "<<: 1", "<<: [1]", "a: b\n<<: {c: d}"],
];

/** Bodies that are neither JSON nor YAML. */
export const malformedBodies = subject("malformed-bodies", {
  "malformed JSON is rejected by every verb": [
    post(configMaps, configMap("a")),
    sent("POST", configMaps, "application/json", few),
    sent("PUT", `${configMaps}/a`, "application/json", few),
    sent("PATCH", `${configMaps}/a`, "application/merge-patch+json", few),
    sent("PATCH", `${configMaps}/a`, "application/json-patch+json", few),
    sent("PATCH", `${configMaps}/a`, "application/strategic-merge-patch+json", few),
    sent("PATCH", `${configMaps}/a?fieldManager=x`, "application/apply-patch+yaml", few),
    sent("DELETE", `${configMaps}/a`, "application/json", few),
    sent("DELETE", configMaps, "application/json", few),
  ],
  "malformed JSON of custom resources is rejected by every verb": [
    defineWidget(),
    post(widgets, widget("a", { spec: { size: 1 } })),
    sent("POST", widgets, "application/json", few),
    sent("PUT", `${widgets}/a`, "application/json", few),
    sent("PATCH", `${widgets}/a`, "application/merge-patch+json", few),
    sent("PATCH", `${widgets}/a`, "application/json-patch+json", few),
    sent("DELETE", `${widgets}/a`, "application/json", few),
  ],
  "malformed YAML is rejected with the parser's message": [sent("POST", configMaps, "application/yaml", yaml)],
  "malformed YAML is not applied": [
    post(configMaps, configMap("a")),
    sent("PATCH", `${configMaps}/a?fieldManager=x`, "application/apply-patch+yaml", yaml),
  ],
  "malformed YAML of custom resources is rejected": [defineWidget(), sent("POST", widgets, "application/yaml", yaml)],
});
