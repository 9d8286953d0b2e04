import { expect, test } from "vitest";
import { readBody } from "./read-body.js";

const apply = "application/apply-patch+yaml";

test("an apply patch is read as JSON or as YAML", async () => {
  const json = await readBody(Buffer.from('{"data":{"k":"yes"}}'), apply, true);
  expect(json).toMatchObject({ value: { data: { k: "yes" } }, duplicates: [] });
  const yaml = await readBody(Buffer.from('data: {k: "yes", m: 1}'), apply, true);
  expect(yaml).toMatchObject({ value: { data: { k: "yes", m: 1 } }, duplicates: [] });
  expect(yaml.text()).toBe('data: {k: "yes", m: 1}');
});

test("duplicate fields are reported by path in JSON, by line in YAML", async () => {
  const text = Buffer.from('{"a":{"b":1,"b":2}}');
  const json = await readBody(text, "application/json", false);
  expect(json).toMatchObject({ value: { a: { b: 2 } }, duplicates: ['duplicate field "a.b"'] });
  const yaml = await readBody(text, apply, true);
  expect(yaml).toMatchObject({ value: { a: { b: 2 } }, duplicates: ['line 1: key "b" already set in map'] });
});

test.each([
  ["application/json", "{"],
  ["application/yaml", "a: ["],
  ["application/vnd.kubernetes.protobuf", "x"],
  ["application/json", "[".repeat(2_000) + "]".repeat(2_000)],
  ["application/yaml", "[".repeat(2_000) + "]".repeat(2_000)],
])("a malformed body of type %s has no value, and the parser's message", async (type, text) => {
  const body = await readBody(Buffer.from(text), type, false);
  expect(body.value).toBeUndefined();
  expect(body.malformed?.message).toMatch(/./);
});

test("an empty body has no value, and a body of an unsupported media type is not read", async () => {
  expect(await readBody(Buffer.alloc(0), "application/json", false)).toMatchObject({ value: undefined });
  expect((await readBody(Buffer.from("{}"), "text/plain", false)).malformed?.format).toBe("unsupported");
});
