import { deepEqual, isJsonObject } from "@kubewright/core/json";
import { invalid, required } from "@kubewright/core/schema";
import { ageColumn, nameColumn } from "../../columns.js";
import { listAt, metadataOf, numberAt, textAt } from "../../draft.js";
import { subdomainName } from "../../name-rules.js";
import type { Strategy } from "../../strategy.js";
import { type Errors, immutable, notNegative } from "../../validation/index.js";

/** ControllerRevision. */
export const controllerRevisionStrategy: Strategy = {
  nameRule: subdomainName,
  allowUnconditionalUpdate: true,
  validate(object, old) {
    const errors: Errors = [];
    const revision = numberAt(object, "revision");
    if (revision < 0) errors.push(invalid("revision", revision, notNegative));
    const data = object["data"] ?? null;
    if (old) {
      if (!deepEqual(data, old["data"] ?? null)) errors.push(invalid("data", data, immutable));
    } else if (data === null) errors.push(required("data", "data is mandatory"));
    else if (!isJsonObject(data)) errors.push(required("data", "data must be a valid JSON object"));
    return errors;
  },
  table: {
    columns: [
      nameColumn,
      {
        name: "Controller",
        type: "string",
        cell(object) {
          const owner = listAt(metadataOf(object), "ownerReferences")
            .filter(isJsonObject)
            .find((one) => one["controller"] === true);
          if (!owner) return "<none>";
          const group = textAt(owner, "apiVersion").split("/").slice(0, -1).join("");
          const kind = textAt(owner, "kind").toLowerCase();
          return `${group === "" ? kind : `${kind}.${group}`}/${textAt(owner, "name")}`;
        },
      },
      { name: "Revision", type: "string", cell: (object) => numberAt(object, "revision") },
      ageColumn,
    ],
  },
};
