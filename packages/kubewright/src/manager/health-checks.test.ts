import { expect, test } from "vitest";
import { answerHealth } from "./health-checks.js";

const passes = (): void => {};
const fails = (): void => {
  throw new Error("secret reason");
};
const ask = (checks: Parameters<typeof answerHealth>[0], path = "", query = "") =>
  answerHealth(checks, path, new URLSearchParams(query));

test("all checks passed: 200 and ok, also when there are no checks", async () => {
  expect(await ask({ a: passes })).toEqual({ status: 200, body: "ok", failures: {} });
  expect(await ask({})).toMatchObject({ status: 200, body: "ok" });
  expect(await ask({}, "/ping")).toMatchObject({ status: 200, body: "ok" });
});

test("a failed check: 500 with every check listed and the reason withheld", async () => {
  const response = await ask({ a: passes, b: fails });
  expect(response).toMatchObject({ status: 500, body: "[+]a ok\n[-]b failed: reason withheld\ncheck failed\n" });
  expect(response.failures["b"]).toEqual(new Error("secret reason"));
});

test("verbose lists the checks; exclude skips one and warns about an unknown name", async () => {
  expect(await ask({ a: passes, b: fails }, "", "verbose&exclude=b&exclude=c")).toMatchObject({
    status: 200,
    body: "[+]a ok\n[+]b excluded: ok\nwarn: some health checks cannot be excluded: no matches for c\ncheck passed\n",
  });
});

test("one check can be requested by name; an unknown name returns 404", async () => {
  expect(await ask({ a: passes, b: fails }, "/a")).toMatchObject({ status: 200, body: "ok" });
  expect(await ask({ a: passes, b: fails }, "/b")).toMatchObject({ status: 500 });
  expect(await ask({ a: passes }, "/nothing")).toMatchObject({ status: 404 });
});
