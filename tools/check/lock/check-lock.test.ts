import { expect, test } from "vitest";
import { lockDefects } from "./check-lock.js";

test("a binding without an entry is a defect, one in the package's own or an outer node_modules is not", () => {
  const host = { optionalDependencies: { "@x/linux": "1.0.0", "@x/darwin": "1.0.0" } };
  const packages = {
    "": {},
    "node_modules/x": host,
    "node_modules/x/node_modules/@x/darwin": {},
    "node_modules/@x/linux": {},
  };
  expect(lockDefects(packages)).toEqual([]);
  expect(lockDefects({ "node_modules/x": host, "node_modules/@x/linux": {} })).toEqual([
    '"node_modules/x" depends on "@x/darwin", which has no entry',
  ]);
  expect(lockDefects({ "packages/a": { optionalDependencies: { y: "^1.0.0" } }, "node_modules/y": {} })).toEqual([]);
});

test("a registry's address is a defect, a workspace link is not", () => {
  expect(
    lockDefects({
      "node_modules/a": { resolved: "https://packages.example.com/a/-/a-1.0.0.tgz" },
      "node_modules/b": { resolved: "packages/b", link: true },
    }),
  ).toEqual(['"node_modules/a" is bound to "https://packages.example.com/a/-/a-1.0.0.tgz"']);
});
