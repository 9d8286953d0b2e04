/** A part of the documentation with its pages, as `docs/README.md` lists them. */
export interface Part {
  readonly title: string;
  readonly pages: readonly ListedPage[];
}

/** A page in the contents. */
export interface ListedPage {
  readonly title: string;
  /** What the reader can do after it. */
  readonly purpose: string;
  /** Relative to the repository. */
  readonly path: string;
}

/** The parts of `docs/README.md`: a heading, and a table whose last column links to the pages. The sidebar and `llms.txt` have the same order. */
export function partsOf(readme: string): Part[] {
  return readme
    .split(/^## /m)
    .slice(1)
    .map((section) => {
      const [title = "", ...lines] = section.split("\n");
      const rows = lines.map((line) => /^\| (.+) \| (.+) \|$/.exec(line)).filter((row) => row !== null);
      const pages = rows.flatMap(([, purpose = "", cell = ""]) =>
        [...cell.matchAll(/\[([^\]]+)\]\(([^)#]+)\)/g)].map(([, name = "", link = ""]) => ({
          title: name,
          purpose,
          path: new URL(link, "file:///docs/").pathname.slice(1),
        })),
      );
      return { title: title.trim(), pages };
    })
    .filter(({ pages }) => pages.length > 0);
}
