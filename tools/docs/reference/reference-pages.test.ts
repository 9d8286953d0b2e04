import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { referencePages } from "./reference-pages.js";

const root = join(import.meta.dirname, "..", "..", "..");

test("the reference pages of the API, commands, flags and metrics are those of the code: npm run reference writes them", async () => {
  const pages = await referencePages(root);
  for (const [path, text] of pages) expect(readFileSync(join(root, path), "utf8")).toBe(text);
  // What the pages would silently lose if the output that they are read from changed.
  expect(pages.get("docs/reference/commands.md")).toContain("| `--port <number>` | port on 127.0.0.1");
  expect(pages.get("docs/reference/commands.md")?.match(/^## /gm)?.length).toBeGreaterThan(15);
  expect(pages.get("docs/reference/commands.md")?.match(/^\| \d \| \S/gm)?.length).toBeGreaterThan(4);
  expect(pages.get("docs/reference/flags.md")?.match(/^\| `--/gm)?.length).toBeGreaterThan(20);
  expect(pages.get("docs/reference/metrics.md")).toContain(
    "| `workqueue_depth` | gauge | `controller`, `name`, `priority` |",
  );
  expect(pages.get("docs/reference/api.md")?.match(/^\| \[/gm)?.length).toBeGreaterThan(30);
});
