import { authorizerLibraries } from "./authorizer.js";
import { cidrLibrary } from "./cidr.js";
import { extListsLibrary } from "./ext-lists.js";
import { formatLibrary } from "./format.js";
import { ipLibrary } from "./ip.js";
import { jsonPatchLibrary } from "./jsonpatch.js";
import type { Library } from "./library.js";
import { listsLibrary } from "./lists.js";
import { quantityLibrary } from "./quantity.js";
import { regexLibrary } from "./regex.js";
import { semverLibrary } from "./semver.js";
import { setsLibrary } from "./sets.js";
import { stringLibraries } from "./strings.js";
import { twoVariableLibrary } from "./two-variable.js";
import { urlLibrary } from "./url.js";

/** The libraries of Kubernetes, in the order in which its servers load them. */
export const libraries: readonly Library[] = [
  urlLibrary,
  regexLibrary,
  listsLibrary,
  ...authorizerLibraries,
  quantityLibrary,
  ...stringLibraries,
  setsLibrary,
  ipLibrary,
  cidrLibrary,
  formatLibrary,
  twoVariableLibrary,
  semverLibrary,
  extListsLibrary,
  jsonPatchLibrary,
];
