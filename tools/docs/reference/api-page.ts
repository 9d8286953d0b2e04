import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { packageNames, publishedName } from "../../build/package-names.js";

/** One entry point of a package with its report. */
export interface ApiEntry {
  /** What a program imports, such as `kubewright/client`. */
  readonly specifier: string;
  /** The report, relative to the repository. */
  readonly report: string;
  /** From the README of the package. */
  readonly purpose: string;
}

/** The entry points of all packages, those with a `*` left out: their modules are generated. */
export function apiEntries(root: string): ApiEntry[] {
  return packageNames.flatMap((name) => {
    const folder = join(root, "packages", name);
    const { exports = {} }: { exports?: Record<string, unknown> } = JSON.parse(
      readFileSync(join(folder, "package.json"), "utf8"),
    );
    const purposes = purposesIn(readFileSync(join(folder, "README.md"), "utf8"));
    return Object.keys(exports).flatMap((path) => {
      const specifier = path.replace(/^\./, publishedName(name));
      const report = `packages/${name}/api/${path === "." ? "index" : path.slice(2)}.api.md`;
      return existsSync(join(root, report)) ? [{ specifier, report, purpose: purposes.get(specifier) ?? "" }] : [];
    });
  });
}

/** The second column of the table of subpaths. */
function purposesIn(readme: string): Map<string, string> {
  const rows = readme.matchAll(/^\| `([^`]+)` \| (.+?) \|$/gm);
  return new Map([...rows].map(([, specifier = "", purpose = ""]) => [specifier, purpose]));
}

/** `docs/reference/api.md`. */
export function apiPage(root: string): string {
  const rows = apiEntries(root).map(
    ({ specifier, report, purpose }) => `| [\`${specifier}\`](../../${report}) | ${purpose} |`,
  );
  return `# API

After this page you know which module exports what. Each link leads to all exports of a module with their signatures.

| Module | For |
|---|---|
${rows.join("\n")}
| \`kubewright/k8s/*\` | the built-in kinds, by group and version: \`kubewright/k8s/apps/v1\` exports \`Deployment\` |

An export that is not listed here is not public. A change of an export is a change of its report, which is reviewed: \`npm run check\` compares them.
`;
}
