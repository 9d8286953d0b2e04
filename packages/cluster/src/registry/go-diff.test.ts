import fc from "fast-check";
import { expect, test } from "vitest";
import { goDiff } from "./go-diff.js";
import { goStruct } from "./go-struct.js";

const type = "core.VolumeResourceRequirements";
const amounts = (limits: Record<string, string>) => ({ limits });

test("a struct has every field by its name in Go, unset ones with their zero value", () => {
  expect(goStruct({ requests: { b: "1", a: "2" } }, type)).toEqual({ Limits: null, Requests: { a: "2", b: "1" } });
  expect(goStruct({ name: "v", emptyDir: {} }, "core.Volume")).toMatchObject({
    Name: "v",
    EmptyDir: { Medium: "", SizeLimit: null },
    HostPath: null,
  });
  expect(goStruct({ hostPID: true }, "core.PodSpec")).toMatchObject({ SecurityContext: { HostPID: true } });
  expect(goStruct({ items: { type: "string" } }, "apiextensions.JSONSchemaProps")).toMatchObject({
    Items: { Schema: { Type: "string" }, JSONSchemas: null },
  });
});

test("a difference is told with three lines around it", () => {
  expect(goDiff(amounts({ cpu: "1" }), amounts({ cpu: "2" }), type)).toBe(
    '@@ -1,6 +1,6 @@\n {\n  "Limits": {\n-  "cpu": "1"\n+  "cpu": "2"\n  },\n  "Requests": null\n }\n',
  );
  expect(goDiff(amounts({ cpu: "1" }), amounts({ cpu: "1" }), type)).toBe("");
});

test("what came and what went is all that is needed to get from one value to the other", () => {
  const some = fc.dictionary(fc.constantFrom(..."abcdefghijklmnopqrstuvw"), fc.constantFrom("1", "2"));
  fc.assert(
    fc.property(some, some, (old, now) => {
      const lines = (value: object) => JSON.stringify(goStruct(amounts({ ...value }), type), null, 1).split("\n");
      const before = lines(old);
      const after: string[] = [];
      let at = 0;
      for (const line of goDiff(amounts(old), amounts(now), type).split("\n")) {
        const start = /^@@ -(\d+)(?:,(\d+))?/.exec(line);
        if (start) {
          const from = Number(start[1]) - (start[2] === "0" ? 0 : 1);
          after.push(...before.slice(at, from));
          at = from;
        } else if (line.startsWith("+")) after.push(line.slice(1));
        else if (line !== "") {
          expect(before[at]).toBe(line.slice(1));
          if (line.startsWith(" ")) after.push(line.slice(1));
          at++;
        }
      }
      expect([...after, ...before.slice(at)]).toEqual(lines(now));
    }),
  );
});
