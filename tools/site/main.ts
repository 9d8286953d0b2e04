/**
 * `npm run site`: builds the documentation site into `dist/site`, and exits with 1 when a link is dead.
 *
 * `--serve` serves it afterwards, `--base /path/` is for a site that is not at the root of its host. The generator is installed on the first build,
 * from a lock file of its own: nothing else needs it.
 */
import { spawnSync } from "node:child_process";
import { cpSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { parseArgs } from "node:util";
import { allInOne, llmsIndex } from "./all-in-one.js";
import { deadLinks } from "./check-links.js";
import { type Part, partsOf } from "./contents.js";
import { installGenerator } from "./install-generator.js";
import { type Page, stagePages } from "./stage-pages.js";

const folder = import.meta.dirname;
const root = join(folder, "..", "..");
const stage = join(folder, ".stage");
const outDir = join(root, "dist", "site");
const { values } = parseArgs({
  options: { serve: { type: "boolean", default: false }, base: { type: "string", default: "/" } },
});
const base = `/${values.base}/`.replaceAll(/\/+/g, "/");

const startedMs = performance.now();
const pages = stagePages(root);
const parts = partsOf(readFileSync(join(root, "docs", "README.md"), "utf8"));
writeStage();
const vitepress = installGenerator(folder);
run("build", stage);
const built = readdirSync(outDir, { recursive: true, encoding: "utf8" }).map(
  (file) => `/${file.replaceAll("\\", "/")}`,
);
const html = built.filter((file) => file.endsWith(".html"));
const dead = deadLinks(
  html.map((path) => ({ path, html: readFileSync(join(outDir, path), "utf8") })),
  new Set(built),
  base,
);
for (const link of dead) console.error(`Dead link: ${link}`);
const seconds = ((performance.now() - startedMs) / 1_000).toFixed(1);
console.log(`${html.length} pages in dist/site, ${dead.length} dead links, ${seconds} s`);
if (dead.length > 0) process.exitCode = 1;
else if (values.serve) run("preview", stage);

function writeStage(): void {
  rmSync(stage, { recursive: true, force: true });
  write("index.md", readFileSync(join(folder, "home.md"), "utf8"));
  for (const { path, text, kind } of pages) {
    write(path, kind === "source" ? `---\nsearch: false\neditLink: false\n---\n\n${text}` : text);
    // For programs that read Markdown.
    if (kind !== "source") write(join("public", path), text);
  }
  write("public/llms.txt", llmsIndex(parts, pages));
  write("public/kubewright.md", allInOne(parts, pages));
  mkdirSync(join(stage, ".vitepress"), { recursive: true });
  cpSync(join(folder, "config.template.mjs"), join(stage, ".vitepress", "config.mjs"));
  cpSync(join(folder, "theme"), join(stage, ".vitepress", "theme"), { recursive: true });
  write(".vitepress/site.json", JSON.stringify({ sidebar: sidebarOf(parts, pages), base, outDir }));
}

function write(path: string, text: string): void {
  const file = join(stage, path);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, text);
}

function sidebarOf(all: readonly Part[], staged: readonly Page[]) {
  const links = new Map(staged.map(({ source, path }) => [source, `/${path.replace(/\.md$/, "")}`]));
  const api = staged
    .filter(({ kind }) => kind === "api")
    .map(({ path, text }) => ({ text: /^# (.+)$/m.exec(text)?.[1] ?? path, link: `/${path.replace(/\.md$/, "")}` }));
  return [
    ...all.map(({ title, pages: listed }) => ({
      text: title,
      items: listed.map((page) => ({ text: page.title, link: links.get(page.path) })),
    })),
    { text: "Modules", collapsed: true, items: api },
  ];
}

function run(command: "build" | "preview", site: string): void {
  const { status } = spawnSync(process.execPath, [vitepress, command, site], { stdio: "inherit", cwd: folder });
  if (status !== 0) throw new Error(`vitepress ${command} ended with ${status}`);
}
