import { type Method, post, type RequestStep, type Subject, scenario, send } from "../case.js";
import { configMap, configMaps, define, size, specSchema, widget, widgets } from "./sample-objects.js";

const sent = (method: Method, path: string, type: string, texts: readonly string[]): RequestStep[] =>
  texts.map((text) => send(method, path, { text, headers: { "content-type": type } }));

/** Each breaks off in another state of the reader. */
const brokenOff = [
  "{",
  "[",
  '"',
  '"\\',
  '"\\u12',
  "-",
  "1e",
  "1.",
  "tru",
  "nul",
  '{"a',
  '{"a"',
  '{"a":',
  '{"a":1',
  '{"a":1,',
  "[1",
  "[1,",
  '{"a":{"b":[{',
  " ",
];

/** Each has a character where it cannot stand. */
const misplaced = [
  '{"a":1,}',
  "[1,]",
  "{a:1}",
  "{'a':1}",
  '{"a" 1}',
  '{"a":1 "b":2}',
  "[1 2]",
  "{\"a\":'x'}",
  '{"a":"\\x"}',
  '{"a":"\\u12g4"}',
  '{"a":"x\ny"}',
  '{"a":"x\ty"}',
  '{"a":trve}',
  '{"a":falsy}',
  '{"a":nil}',
  '{"a":NaN}',
  '{"a":undefined}',
  '{"a":01}',
  '{"a":.5}',
  '{"a":1.x}',
  '{"a":1ex}',
  '{"a":-x}',
  '{"a":+1}',
  '{"a":0x10}',
  '{"a":1}}',
  "{}x",
  "{} {}",
  '{"a":1;"b":2}',
  '{"a":/* x */1}',
  "// x\n{}",
  '{"a":é}',
  '{"é"é}',
  '{"a":😀}',
  '{"a":"x"y}',
  '\ufeff{"a":1}',
  '{"a":\u00001}',
  '{"a":\u007f}',
  '{"a":\u00a01}',
];

const few = ["{", '{"a":1,}', '{"a":"\\x"}', '{"a":tru', "{a:1}", "[1 2]", '{"a":"x\ny"}', "{}x"];

/** Bodies that are no JSON. */
export const malformedBodies: Subject = {
  name: "malformed-bodies",
  cases: [
    scenario("JSON that breaks off is refused in Go's words", sent("POST", configMaps, "application/json", brokenOff)),
    scenario(
      "JSON with misplaced characters is refused in Go's words",
      sent("POST", configMaps, "application/json", misplaced),
    ),
    scenario(
      "malformed JSON is refused by every verb",
      post(configMaps, configMap("a")),
      sent("PUT", `${configMaps}/a`, "application/json", few),
      sent("PATCH", `${configMaps}/a`, "application/merge-patch+json", few),
      sent("PATCH", `${configMaps}/a`, "application/json-patch+json", few),
      sent("PATCH", `${configMaps}/a`, "application/strategic-merge-patch+json", few),
      sent("DELETE", `${configMaps}/a`, "application/json", few),
      sent("DELETE", configMaps, "application/json", few),
    ),
    scenario(
      "malformed JSON of custom resources is refused by every verb",
      ...define(specSchema(size)),
      post(widgets, widget("a", { spec: { size: 1 } })),
      sent("POST", widgets, "application/json", [...brokenOff, ...misplaced]),
      sent("PUT", `${widgets}/a`, "application/json", few),
      sent("PATCH", `${widgets}/a`, "application/merge-patch+json", few),
      sent("PATCH", `${widgets}/a`, "application/json-patch+json", few),
      sent("DELETE", `${widgets}/a`, "application/json", few),
    ),
  ],
};
