import { expect, test } from "vitest";
import { normalise } from "./normalise.js";
import type { Given } from "./run-test-case.js";
import { get, post, testCase } from "./test-case.js";

const now = Date.parse("2030-01-01T00:00:00Z");
const names = { namespace: "case-1", group: "g1.example.com" };
const response = (body: unknown): Given => ({ kind: "response", response: { status: 200, headers: {}, body } });
const bodiesOf = (steps: Parameters<typeof testCase>[1][], ...bodies: unknown[]): unknown[] =>
  normalise(testCase("x", ...steps), { ...names, given: bodies.map(response) }, now).map((seen) => seen["body"]);

test("uids are numbered by order of appearance, in values and keys", () => {
  const [a, b] = ["11111111-2222-4333-8444-555555555555", "99999999-2222-4333-8444-555555555555"];
  expect(bodiesOf([get("/a"), get("/b")], { uid: a }, { text: `not ${b}`, [`u:${a}`]: b })).toEqual([
    { uid: "<uid1>" },
    { text: "not <uid2>", "u:<uid1>": "<uid2>" },
  ]);
});

test("resourceVersions of objects are numbered in order, those of lists by the newest object they include", () => {
  const list = { metadata: { resourceVersion: "900" }, items: [{ metadata: { resourceVersion: "70" } }] };
  expect(bodiesOf([get("/a"), get("/b")], { metadata: { resourceVersion: "500" } }, list)).toEqual([
    { metadata: { resourceVersion: "rv2" } },
    { metadata: { resourceVersion: "rv2+" }, items: [{ metadata: { resourceVersion: "rv1" } }] },
  ]);
});

test("current times are replaced except for their precision, others are kept", () => {
  const body = { a: "2030-01-01T00:00:05Z", b: "2030-01-01T00:00:05.123456Z", c: "2001-01-01T00:00:00Z" };
  expect(bodiesOf([get("/a")], body)).toEqual([{ a: "<time>", b: "<time.6>", c: "2001-01-01T00:00:00Z" }]);
});

test("names of the case and generated names are replaced", () => {
  const step = post("/a", { metadata: { generateName: "web-" } });
  expect(bodiesOf([step], { name: "web-x7k2p", text: '"web-x7k2p" in case-1 of widgets.g1.example.com' })).toEqual([
    { name: "web-<5>", text: '"web-<5>" in <namespace> of widgets.<group>' },
  ]);
});

test("everything else is kept", () => {
  const body = { code: 409, list: ["b", "a"], text: "must be no more than 63 characters", none: null };
  expect(bodiesOf([get("/a")], body)).toEqual([body]);
});
