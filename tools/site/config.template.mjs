// The configuration of VitePress; `npm run site` copies it beside the staged pages.
import { readFileSync } from "node:fs";

const { sidebar, base, outDir } = JSON.parse(readFileSync(new URL("site.json", import.meta.url), "utf8"));

/** As GitHub makes them, so that the links of the repository work on the site. */
const slugify = (heading) =>
  heading
    .trim()
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\s_-]/gu, "")
    .replace(/\s/g, "-");

export default {
  srcExclude: ["public/**"],
  lang: "en",
  title: "Kubewright",
  description: "Kubernetes operators in TypeScript",
  base,
  outDir,
  // Pages of other sites only: everything else is checked after the build, with its headings.
  ignoreDeadLinks: true,
  lastUpdated: false,
  head: [["link", { rel: "icon", href: "data:," }]],
  markdown: {
    // Documents are written for GitHub: `<name>` is text, not a component.
    html: false,
    anchor: { slugify },
    languageAlias: { console: "shellsession" },
  },
  themeConfig: {
    search: { provider: "local" },
    nav: [
      { text: "Getting started", link: "/getting-started" },
      { text: "Guides", link: "/guides/controllers" },
      { text: "Reference", link: "/reference/api" },
      { text: "All pages", link: "/contents" },
    ],
    sidebar,
    outline: { level: [2, 3] },
    footer: { message: "Apache-2.0" },
  },
};
