import { apiPage } from "./api-page.js";
import { commandsPage } from "./commands-page.js";
import { flagsPage } from "./flags-page.js";
import { metricsPage } from "./metrics-page.js";

/** The pages of `docs/reference` that are generated, by path. */
export async function referencePages(root: string): Promise<ReadonlyMap<string, string>> {
  return new Map([
    ["docs/reference/api.md", apiPage(root)],
    ["docs/reference/commands.md", await commandsPage()],
    ["docs/reference/flags.md", await flagsPage()],
    ["docs/reference/metrics.md", await metricsPage()],
  ]);
}
