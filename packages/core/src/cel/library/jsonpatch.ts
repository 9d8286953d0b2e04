import { overload } from "../check/overload.js";
import { stringType } from "../types/cel-type.js";
import type { Library } from "./library.js";
import { estimateParse, parseCost } from "./quantity.js";

/** For the JSON patches of MutatingAdmissionPolicies. */
export const jsonPatchLibrary: Library = {
  name: "jsonpatch",
  since: 0,
  isExtra: true,
  functions: [
    {
      name: "jsonpatch.escapeKey",
      overloads: [
        overload("string_jsonpatch_escapeKey_string", [stringType], stringType, (key) =>
          key.replaceAll("~", "~0").replaceAll("/", "~1"),
        ),
      ],
      cost: parseCost,
      estimate: (call) => {
        const [key] = call.args;
        const cost = estimateParse(call);
        return key === undefined || cost === undefined ? undefined : { ...cost, size: call.sizeOf(key) };
      },
    },
  ],
};
