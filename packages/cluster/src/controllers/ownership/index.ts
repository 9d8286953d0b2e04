/**
 * Which objects are whose: found by owner, adopted and released by selector.
 *
 * @module
 */
export { type Claim, claim } from "./claim.js";
export { byController, ownedBy, unownedIn } from "./controller-index.js";
export { selectorOf } from "./selector-cache.js";
export { selectorText } from "./selector-text.js";
