/** The version in the sources: a literal, because a bundle has no package.json to read. */
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";

const places: readonly { readonly folder: string; readonly source: string; readonly before: string }[] = [
  { folder: "packages/kubewright", source: "src/transport/user-agent.ts", before: "packageVersion = " },
  { folder: "packages/cli", source: "src/version.ts", before: "cliVersion = " },
];

/** Writes the versions of the package.json files below `root` into the sources. Returns the sources that it changed. */
export function syncVersions(root: string): string[] {
  return places.flatMap(({ folder, source, before }) => {
    const { version } = JSON.parse(readFileSync(join(root, folder, "package.json"), "utf8")) as {
      readonly version: string;
    };
    const file = join(root, folder, source);
    const text = readFileSync(file, "utf8");
    const start = text.indexOf(`${before}"`) + before.length + 1;
    if (start <= before.length)
      throw new Error(`Cannot write the version to "${file}": it does not contain '${before}"'`);
    const changed = text.slice(0, start) + version + text.slice(text.indexOf('"', start));
    if (changed === text) return [];
    writeFileSync(file, changed);
    return [`${folder}/${source}`];
  });
}
