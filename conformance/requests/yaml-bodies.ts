import { apply, post, type RequestStep, send, subject } from "../test-case.js";
import { configMap, configMaps, define, widget, widgets } from "./sample-objects.js";

const yaml = { "content-type": "application/yaml" };

/** Unquoted scalars and other values. */
const values = [
  ...["yes", "Yes", "y", "n", "on", "OFF", "true", "TRUE", "tRue", "~", "null", "Null", ""],
  ...["017", "0o17", "0x1F", "0b11", "1_000", "1e3", ".5", "5.", "+1", "-0", "1.0", "12e03", "08", "0o8", "0_", "0x"],
  ...[".inf", "-.Inf", ".nan", "NaN", "1.5e400", "18446744073709551616", "0xFFFFFFFFFFFFFFFFF", "-9223372036854775809"],
  ...["2001-01-01", "2001-01-01T00:00:00Z", "12:30", "1:2", "1.2.3", "123abc", "_1", "=", "a#b", "a #b"],
  ...["!!str 1", "!!binary aGk=", "!!float 1", "!foo 1", "'x'", '"\\u0041"', "&a x", "[yes, 1]"],
  ...["{a: yes, 1: b, true: c}", "|\n    a\n    b", "|\n    a\n", "|-\n    a\n", "|+\n    a\n\n"],
  ...[">\n    a\n    b\n\n    c\n", "\n    - a\n    - b", "\n  - a\n  - b"],
];

const of = (value: string): RequestStep =>
  send("POST", `${widgets}?dryRun=All`, {
    // Error messages quote the start of the body, and the group differs in each case.
    text: `kind: Widget\nmetadata:\n  name: abcdefgh\napiVersion: "{group}/v1"\nspec:\n  v: ${value}`,
    headers: yaml,
  });

/** YAML bodies, parsed as in Go. */
export const yamlBodies = subject("yaml-bodies", {
  "YAML scalars are resolved as in Go": [
    define({ type: "object", properties: { spec: { type: "object", "x-kubernetes-preserve-unknown-fields": true } } }),
    post(widgets, widget("b")),
    values.map(of),
  ],
  "the first of several YAML documents is used, and merge keys are applied": [
    ...[
      "metadata:\n  name: a\n---\nmetadata:\n  name: b\n",
      "---\nmetadata:\n  name: a\n---\n[",
      "metadata:\n  name: a\n...\n",
      "# only a comment\nmetadata: {name: a}",
      "x: &x {name: a}\nmetadata:\n  <<: *x\n",
      "metadata: {name: a}\ndata: {k: yes}",
      'metadata: {name: a}\nz: 1\n"a\\"b": 1\nm: 1\n',
      'metadata: {name: a}\ndata: {k: "yes", yes: "k"}',
    ].map((text) => send("POST", `${configMaps}?dryRun=All`, { text, headers: yaml })),
  ],
  "an apply is parsed as YAML": [
    post(configMaps, configMap("a")),
    ...["data: {k: yes}", 'data: {k: "yes", 010: "x"}', "data: {k: .inf}"].map((data) =>
      apply(`${configMaps}/a?fieldManager=x`, null, {
        text: `apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a}\n${data}\n`,
      }),
    ),
  ],
});
