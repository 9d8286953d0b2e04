import { execFileSync } from "node:child_process";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";

/** Kubernetes' round-trip test data: an object of each kind with every field set, as JSON and as protobuf. */
const folder = join(
  execFileSync("go", ["env", "GOMODCACHE"], { encoding: "utf8" }).trim(),
  "k8s.io/api@v0.36.4/testdata/HEAD",
);
if (!existsSync(folder)) process.stderr.write("Skipped: the test data of k8s.io/api is not in the Go module cache\n");
const kinds = existsSync(folder)
  ? readdirSync(folder)
      .filter((name) => /\.v[12]\.\w+\.pb$/.test(name) && !name.includes("WatchEvent"))
      .map((name) => name.slice(0, -3))
  : [];

test.skipIf(kinds.length === 0)("every kind decodes from protobuf to the same object as from JSON", async () => {
  const { decodeProtobuf } = await import("./protobuf-body.js");
  const different = kinds.filter((kind) => {
    const json = JSON.parse(readFileSync(join(folder, `${kind}.json`), "utf8"));
    const decoded = decodeProtobuf(readFileSync(join(folder, `${kind}.pb`)));
    return JSON.stringify(sorted(decoded)) !== JSON.stringify(sorted(json));
  });
  expect(different).toEqual([]);
  expect(kinds.length).toBeGreaterThan(50);
});

/** Sorts keys, so that the JSON strings can be compared. */
function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (typeof value !== "object" || value === null) return value;
  const entries = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1));
  return Object.fromEntries(entries.map(([key, inner]) => [key, sorted(inner)]));
}
