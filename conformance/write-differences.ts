/** `npx tsx --conditions=kubewright-source conformance/write-differences.ts`: writes `docs/reference/differences.md`. */
import { writeFileSync } from "node:fs";
import { differencesPage } from "./differences-page.js";

writeFileSync(new URL("../docs/reference/differences.md", import.meta.url), differencesPage());
