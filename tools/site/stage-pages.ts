import { readdirSync, readFileSync, statSync } from "node:fs";
import { join, posix } from "node:path";
import { packageNames } from "../build/package-names.js";
import { type ApiEntry, apiEntries } from "../docs/reference/api-page.js";
import { apiModulePage, type Declared, declarationsIn } from "./api-report.js";
import { mapLinks } from "./markdown-links.js";
import { TrackedFiles } from "./tracked-files.js";

/** A page of the site. */
export interface Page {
  /** Its file in the site, such as `guides/client.md`. */
  readonly path: string;
  /** Its file in the repository; a folder for a listing. */
  readonly source: string;
  readonly text: string;
  readonly kind: "page" | "api" | "source";
}

/** Files larger than this are named, not shown. */
const maxSourceBytes = 200_000;

/**
 * All pages of the site: the documents of the repository, a page per API report, and one for each file and folder that a document links to, so that
 * every link works offline. Links between them are rewritten; a link to what git does not track throws.
 */
export function stagePages(root: string, tracked = TrackedFiles.of(root)): Page[] {
  const reports = new Map(apiEntries(root).map((entry) => [entry.report, entry]));
  const declared = declarationsOf(root);
  const sources = documentsOf(tracked);
  const paths = new Map(sources.map((source) => [source, sitePath(source, reports)]));
  const pages: Page[] = [];
  for (const source of sources) pages.push(pageOf(source));
  return pages;

  function pageOf(source: string): Page {
    const path = sitePath(source, reports);
    const report = reports.get(source);
    if (report) {
      const [, name = ""] = source.split("/");
      const text = apiModulePage(report, readFileSync(join(root, source), "utf8"), declared.get(name) ?? []);
      return { path, source, text, kind: "api" };
    }
    if (!source.endsWith(".md")) return { path, source, text: sourcePage(root, tracked, source, link), kind: "source" };
    const text = mapLinks(readFileSync(join(root, source), "utf8"), (target) => link(source, target));
    return { path, source, text, kind: "page" };
  }

  /** The target of a link from one file of the repository, as a link of the site. Adds a page for what has none yet. */
  function link(from: string, target: string): string {
    if (/^[a-z]+:|^#/.test(target)) return target;
    const [file = "", anchor] = target.split("#");
    const wanted = documentAt(tracked, posix.normalize(posix.join(posix.dirname(from), file)).replace(/\/$/, ""));
    if (wanted === undefined) throw new Error(`${from} links to "${target}", which is not a file of the repository`);
    if (!paths.has(wanted)) {
      paths.set(wanted, sitePath(wanted, reports));
      sources.push(wanted);
    }
    return `/${paths.get(wanted)?.replace(/\.md$/, ".html")}${anchor === undefined ? "" : `#${anchor}`}`;
  }
}

/** The documents that are pages without being linked to. */
function documentsOf({ files }: TrackedFiles): string[] {
  return [...files.filter((file) => file.startsWith("docs/") && file.endsWith(".md")).toSorted(), "README.md"];
}

/** What a link to a path leads to: the README of a folder, if it has one. Undefined when there is nothing. */
function documentAt(tracked: TrackedFiles, path: string): string | undefined {
  if (!tracked.has(path)) return undefined;
  const readme = posix.join(path, "README.md");
  return tracked.has(readme) ? readme : path;
}

function sitePath(source: string, reports: ReadonlyMap<string, ApiEntry>): string {
  const report = reports.get(source);
  if (report) return `api/${report.specifier.replaceAll("@", "").replaceAll("/", "-")}.md`;
  if (source === "docs/README.md") return "contents.md";
  if (source.startsWith("docs/") && source.endsWith(".md"))
    return source.slice("docs/".length).replace(/README\.md$/, "index.md");
  if (source.endsWith(".md"))
    return `repository/${source.replace(/\/README\.md$/, "/index.md").replace(/^README\.md$/, "index.md")}`;
  return `source/${source.replaceAll(/[^\w/.-]/g, "_")}.md`;
}

/** A file in a code block, or a folder as a list, without hidden files. */
function sourcePage(
  root: string,
  tracked: TrackedFiles,
  source: string,
  link: (from: string, target: string) => string,
): string {
  const full = join(root, source);
  const title = `# ${source}\n\n`;
  if (tracked.isFolder(source)) {
    const entries = tracked
      .namesIn(source)
      .filter((name) => !/^(\.|tsconfig\.json$)/.test(name))
      .map((name) => `- [${name}](${link(`${source}/x`, name)})`);
    return `${title}${entries.join("\n")}\n`;
  }
  if (statSync(full).size > maxSourceBytes)
    return `${title}The file is ${statSync(full).size} bytes long; it is in the repository.\n`;
  const language = /\.(ts|json|ya?ml|sh|mjs)$/.exec(source)?.[1] ?? "text";
  return `${title}\`\`\`\`${language}\n${readFileSync(full, "utf8").trimEnd()}\n\`\`\`\`\n`;
}

/** By package. */
function declarationsOf(root: string): Map<string, readonly Declared[]> {
  return new Map(
    packageNames.map((name) => {
      const folder = join(root, "packages", name, "src");
      const files = readdirSync(folder, { recursive: true, encoding: "utf8" });
      const sources = files.filter((file) => file.endsWith(".ts") && !/\.(test|gen)\.ts$/.test(file));
      return [name, sources.flatMap((file) => declarationsIn(readFileSync(join(folder, file), "utf8")))];
    }),
  );
}
