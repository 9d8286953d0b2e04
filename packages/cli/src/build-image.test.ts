import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { runCommand } from "./index.js";

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "kubewright-image-"));
});
afterEach(() => rmSync(folder, { recursive: true }));

async function buildImage(...args: string[]): Promise<{ code: number; out: string; err: string }> {
  const written = { out: "", err: "" };
  const streamTo = (name: "out" | "err") => ({ write: (text: string) => (written[name] += text) });
  const code = await runCommand(["cluster", "build-image", ...args], { out: streamTo("out"), err: streamTo("err") });
  return { code, ...written };
}

test.skipIf(process.platform !== "linux")("an image archive has the name, Node.js and the program", async () => {
  const [program, file] = [join(folder, "operator.js"), join(folder, "operator.tar")];
  writeFileSync(program, "console.log(1);");
  const { code, out } = await buildImage(program, "--image", "localhost:5000/team/operator:1.0", "--out", file);
  expect([code, out]).toEqual([
    0,
    expect.stringMatching(/^Wrote image localhost:5000\/team\/operator:1\.0 to .* MiB\)\n$/),
  ]);
  execFileSync("tar", ["-xf", file], { cwd: folder });
  const [manifest] = JSON.parse(readFileSync(join(folder, "manifest.json"), "utf8")) as [
    { RepoTags: string[]; Layers: [string] },
  ];
  expect(manifest.RepoTags).toEqual(["localhost:5000/team/operator:1.0"]);
  const listed = execFileSync("tar", ["-tf", join(folder, manifest.Layers[0])], { encoding: "utf8" }).split("\n");
  expect(listed).toEqual(expect.arrayContaining(["app/main.mjs", "usr/local/bin/node"]));
});

test.skipIf(process.platform !== "linux")(
  "a name without a tag, and a program that is not there, are rejected",
  async () => {
    writeFileSync(join(folder, "operator.js"), "");
    for (const name of ["operator", "operator:", "UPPER:1", "-x:1", "a b:1", "", "a/:1"]) {
      const { code, err } = await buildImage(join(folder, "operator.js"), `--image=${name}`);
      expect([code, err]).toEqual([
        1,
        expect.stringContaining(`Cannot build image "${name}": it is no image name with a tag`),
      ]);
    }
    const { code, err } = await buildImage(join(folder, "missing.js"), "--image", "a:1");
    expect([code, err]).toEqual([1, expect.stringContaining("missing.js")]);
  },
);
