/**
 * Controller references: objects by controller, adoption and release by selector.
 *
 * @module
 */
export { type ClaimOptions, claimObjects } from "./claim-objects.js";
export { byController, ownedBy, unownedIn } from "./controller-index.js";
export { goSelectorString } from "./go-selector-string.js";
export { selectorOf } from "./selector-cache.js";
