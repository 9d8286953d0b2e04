import { readFileSync } from "node:fs";
import type { ScaffoldFile } from "./write-scaffold.js";

/** The licence of a new project. */
export type License = "apache2" | "none";

/** The LICENSE of a project: that of this package, which is the Apache License 2.0; none for other licences. */
export function licenseFiles(license: License): ScaffoldFile[] {
  if (license === "none") return [];
  const text = licenseText();
  return text === undefined ? [] : [{ path: "LICENSE", text }];
}

function licenseText(): string | undefined {
  // In the package, and in the repository.
  for (const place of ["../LICENSE", "../../LICENSE", "../../../../LICENSE"]) {
    try {
      return readFileSync(new URL(place, import.meta.url), "utf8");
    } catch {
      // The next place.
    }
  }
  return undefined;
}
