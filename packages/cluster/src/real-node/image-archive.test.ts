import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { imageArchive, tarFile } from "./image-archive.js";

let folder: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "kubewright-image-"));
});

afterEach(() => rmSync(folder, { recursive: true }));

function extract(archive: Uint8Array): void {
  writeFileSync(join(folder, "archive.tar"), archive);
  execFileSync("tar", ["-xf", "archive.tar"], { cwd: folder });
}

const image = {
  name: "example.com/web:1",
  files: [{ path: "usr/bin/web", content: Buffer.from("#!/bin/sh\n"), mode: 0o755 }],
  entrypoint: ["/usr/bin/web"],
};

test("an image archive has a manifest that names the image, its configuration and its layer", () => {
  extract(imageArchive(image));
  const [manifest] = JSON.parse(readFileSync(join(folder, "manifest.json"), "utf8")) as [
    { Config: string; RepoTags: string[]; Layers: [string] },
  ];
  expect(manifest.RepoTags).toEqual(["example.com/web:1"]);
  const config = JSON.parse(readFileSync(join(folder, manifest.Config), "utf8")) as object;
  expect(config).toMatchObject({ os: "linux", config: { Entrypoint: ["/usr/bin/web"], User: "0:0" } });
  extract(readFileSync(join(folder, manifest.Layers[0])));
  expect(statSync(join(folder, "usr/bin/web")).mode & 0o777).toBe(0o755);
});

test("the same image has the same bytes", () => {
  expect(imageArchive(image).equals(imageArchive(image))).toBe(true);
});

test("tar reads files of every size, in folders and with long paths", () => {
  const sizes = [0, 1, 511, 512, 513, 100_000];
  const long = `${"folder/".repeat(14)}${"n".repeat(90)}`;
  extract(
    tarFile([
      ...sizes.map((size) => ({ path: `sizes/${size}`, content: Buffer.alloc(size, "x") })),
      { path: long, content: Buffer.from("far") },
    ]),
  );
  for (const size of sizes) expect(statSync(join(folder, "sizes", String(size))).size).toBe(size);
  expect(readFileSync(join(folder, long), "utf8")).toBe("far");
});

test("a path that no tar file can hold is rejected", () => {
  expect(() => tarFile([{ path: "n".repeat(101), content: Buffer.alloc(0) }])).toThrow("the path is too long");
});
