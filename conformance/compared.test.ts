import { expect, test } from "vitest";
import { compared } from "./compared.js";
import { get, testCase, wordingCase } from "./test-case.js";

const rejection = {
  kind: "Status",
  code: 422,
  reason: "Invalid",
  message: "A is invalid",
  details: {
    causes: [
      { field: "b", reason: "X", message: "no" },
      { field: "a", reason: "Y" },
      { field: "a", reason: "Y" },
    ],
  },
};

test("a rejection is compared by status, reason and causes, each cause once", () => {
  expect(compared(testCase("x", get("/a")), [{ status: 422, body: rejection }])).toEqual([
    { status: 422, body: { kind: "Status", code: 422, reason: "Invalid", causes: ["a: Y", "b: X"] } },
  ]);
});

test("the message of a rejection is compared in a step marked wording", () => {
  const [seen] = compared(wordingCase("x", get("/a")), [{ status: 422, body: rejection }]);
  expect(seen?.["body"]).toMatchObject({ message: "A is invalid", causes: ["a: Y: ", "b: X: no"] });
});

test("an ERROR event of a watch is compared as a rejection, other events and objects in full", () => {
  const events = [
    { type: "ADDED", object: { message: "kept" } },
    { type: "ERROR", object: rejection },
  ];
  const [first, second] = compared(testCase("x", get("/a"), get("/b")), [{ events }, { status: 200, body: rejection }]);
  expect(first).toEqual({
    events: [
      events[0],
      { type: "ERROR", object: { kind: "Status", code: 422, reason: "Invalid", causes: ["a: Y", "b: X"] } },
    ],
  });
  expect(second).toEqual({ status: 200, body: rejection });
});
