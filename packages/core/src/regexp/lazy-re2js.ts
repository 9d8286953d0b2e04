/**
 * RE2, loaded on first use, because loading takes 14 ms.
 *
 * `#re2js` (`imports` in package.json) resolves to this file. Bundlers, which cannot follow `require`, resolve it to the package itself.
 *
 * @module
 */
import { createRequire } from "node:module";
import type { RE2JS as Engine } from "re2js";

let loaded: typeof Engine | undefined;

/** The part of re2js that Kubewright uses. */
export const RE2JS: Pick<typeof Engine, "compile"> = {
  compile(pattern) {
    loaded ??= (createRequire(import.meta.url)("re2js") as { readonly RE2JS: typeof Engine }).RE2JS;
    return loaded.compile(pattern);
  },
};
