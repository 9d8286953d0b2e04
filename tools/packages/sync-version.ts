/** A step of `npm run release:version`: the sources carry the version that changesets wrote. */
import { join } from "node:path";
import { syncVersions } from "./source-version.js";

for (const source of syncVersions(join(import.meta.dirname, "..", ".."))) console.log(`Wrote the version to ${source}`);
