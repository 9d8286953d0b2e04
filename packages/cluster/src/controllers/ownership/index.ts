/**
 * Controller references: objects by controller, adoption and release by selector.
 *
 * @module
 */
export { type Claim, claim } from "./claim.js";
export { byController, ownedBy, unownedIn } from "./controller-index.js";
export { selectorOf } from "./selector-cache.js";
export { selectorText } from "./selector-text.js";
