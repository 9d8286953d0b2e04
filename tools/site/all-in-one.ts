import type { Part } from "./contents.js";
import { mapLinks } from "./markdown-links.js";
import type { Page } from "./stage-pages.js";

/** `llms.txt`: what the site has, each page with its Markdown file. See llmstxt.org. */
export function llmsIndex(parts: readonly Part[], pages: readonly Page[]): string {
  const bySource = new Map(pages.map((page) => [page.source, page]));
  const lists = parts.map(({ title, pages: listed }) => {
    const lines = listed.flatMap(({ title: name, purpose, path }) => {
      const page = bySource.get(path);
      return page ? [`- [${name}](${page.path}): ${purpose}`] : [];
    });
    return `## ${title}\n\n${lines.join("\n")}`;
  });
  return `# Kubewright

> Kubernetes operators in TypeScript: a framework, an embedded Kubernetes control plane for development and tests, and a command. All pages in one file: [kubewright.md](kubewright.md).

${lists.join("\n\n")}
`;
}

/** All documents in one Markdown file, in the order of the contents; links between them lead to places in it. */
export function allInOne(parts: readonly Part[], pages: readonly Page[]): string {
  const order = parts.flatMap((part) => part.pages.map(({ path }) => path));
  const documents = pages.filter(({ kind }) => kind !== "source");
  const rank = ({ source }: Page): number => (order.includes(source) ? order.indexOf(source) : order.length);
  const included = documents.toSorted((a, b) => rank(a) - rank(b));
  const anchors = new Map(included.map(({ path }) => [`/${path.replace(/\.md$/, ".html")}`, anchorOf(path)]));
  return included
    .map(({ path, text }) => {
      const linked = mapLinks(text, (target) => {
        const [page = "", heading] = target.split("#");
        if (page === "" || !anchors.has(page)) return target;
        return `#${heading ?? anchors.get(page)}`;
      });
      return `<a id="${anchorOf(path)}"></a>\n\n${linked.trimEnd()}\n`;
    })
    .join("\n---\n\n");
}

function anchorOf(path: string): string {
  return `page-${path.replace(/\.md$/, "").replaceAll(/[^\w]/g, "-")}`;
}
