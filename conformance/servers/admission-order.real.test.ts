import { readFileSync } from "node:fs";
import { join } from "node:path";
import { startControlPlane } from "@kubewright/testing/control-plane";
import { expect, test } from "vitest";

const page = readFileSync(new URL("../../docs/reference/admission-plugins.md", import.meta.url), "utf8");
const optional = ["AlwaysPullImages", "NodeRestriction", "OwnerReferencesPermissionEnforcement"];

test("the admission plugins are those of kube-apiserver, in its order, except those that the reference lists as not written", async () => {
  const [, ours = "", missing = ""] =
    /\n\|---\|---\|---\|\n([\s\S]*?)\n\n[\s\S]*\n\|---\|---\|\n([\s\S]*)$/.exec(page) ?? [];
  const names = ours.split("\n").map((row) => row.split("|")[1]?.trim() ?? "");
  const notWritten = missing
    .split("\n")
    .flatMap((row) => (row.split("|")[1] ?? "").split(",").map((name) => name.trim()));
  const flags = { "kube-apiserver": [`--enable-admission-plugins=${[...optional, "ServiceAccount"].join(",")}`] };
  const plane = await startControlPlane({ flags, controllerManager: ["serviceaccount-controller"] });
  const log = readFileSync(join(plane.dir, "kube-apiserver.log"), "utf8");
  await plane.stop();
  const orders = [...log.matchAll(/admission controller\(s\) successfully in the following order: (\S+)\.$/gm)].map(
    ([, list = ""]) => list.split(","),
  );
  expect(orders).toHaveLength(2);
  for (const order of orders) {
    const known = order.filter((name) => !notWritten.includes(name));
    expect(known).toEqual(names.filter((name) => known.includes(name)));
  }
  expect(new Set(orders.flat().filter((name) => !notWritten.includes(name)))).toEqual(new Set(names));
});
