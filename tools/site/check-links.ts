/** A built page: its path in the site, such as `/guides/client.html`, and its HTML. */
export interface BuiltPage {
  readonly path: string;
  readonly html: string;
}

/** Every link of the built pages to a page, file or heading of the site that does not exist: `page: link`. Links to other sites are not followed. */
export function deadLinks(pages: readonly BuiltPage[], files: ReadonlySet<string>, base: string): string[] {
  const ids = new Map(
    pages.map(({ path, html }) => [path, new Set([...html.matchAll(/\sid="([^"]+)"/g)].map(([, id]) => id))]),
  );
  return pages.flatMap(({ path, html }) => {
    const links = new Set(
      [...html.matchAll(/<a\b[^>]*\shref="([^"]+)"/g)].map(([, href = ""]) => href.replaceAll("&amp;", "&")),
    );
    return [...links].flatMap((href) => {
      const target = new URL(href, `https://site.invalid${base.slice(0, -1)}${path}`);
      if (target.host !== "site.invalid") return [];
      if (!target.pathname.startsWith(base)) return [`${path}: ${href}`];
      const file = `/${decodeURIComponent(target.pathname.slice(base.length))}`.replace(/\/$/, "/index.html");
      if (!files.has(file)) return [`${path}: ${href}`];
      const anchor = decodeURIComponent(target.hash.slice(1));
      return anchor === "" || !ids.has(file) || ids.get(file)?.has(anchor) ? [] : [`${path}: ${href}`];
    });
  });
}
