/**
 * RE2, loaded with the first pattern: loading takes 14 ms, which only processes that compile a pattern should pay.
 *
 * It stands behind the name `#re2js` (`imports` of package.json). Bundlers, which cannot follow a `require`, find the package itself there.
 *
 * @module
 */
import { createRequire } from "node:module";
import type { RE2JS as Engine } from "re2js";

let loaded: typeof Engine | undefined;

/** The part of the package that is used. */
export const RE2JS: Pick<typeof Engine, "compile"> = {
  compile(pattern) {
    loaded ??= (createRequire(import.meta.url)("re2js") as { readonly RE2JS: typeof Engine }).RE2JS;
    return loaded.compile(pattern);
  },
};
