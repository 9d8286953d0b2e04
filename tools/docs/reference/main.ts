/** `npm run reference`: writes the generated pages of `docs/reference`. A test compares them. */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { referencePages } from "./reference-pages.js";

const root = join(import.meta.dirname, "..", "..", "..");
for (const [path, text] of await referencePages(root)) writeFileSync(join(root, path), text);
