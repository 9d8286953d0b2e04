/** `npx tsx --conditions=kubewright-source conformance/write-differences.ts`: writes the page of known differences. */
import { writeFileSync } from "node:fs";
import { differencesPage } from "./differences-page.js";

writeFileSync(new URL("../docs/reference/differences.md", import.meta.url), differencesPage());
