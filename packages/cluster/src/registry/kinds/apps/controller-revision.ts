import { deepEqual, isJsonObject } from "@kubewright/core/json";
import { invalid, required } from "@kubewright/core/schema";
import type { ControllerRevision } from "kubewright/k8s/apps/v1";
import { ageColumn, nameColumn } from "../../columns.js";
import { subdomainName } from "../../name-rules.js";
import type { Strategy } from "../../strategy.js";
import { type Errors, immutable, notNegative } from "../../validation/index.js";

/** ControllerRevision. */
export const controllerRevisionStrategy: Strategy<ControllerRevision> = {
  nameRule: subdomainName,
  allowUnconditionalUpdate: true,
  validate(object, old) {
    const errors: Errors = [];
    const { revision = 0, data = null } = object;
    if (revision < 0) errors.push(invalid("revision", revision, notNegative));
    if (old) {
      if (!deepEqual(data, old.data ?? null)) errors.push(invalid("data", data, immutable));
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
          const owner = object.metadata?.ownerReferences?.find((one) => one.controller);
          if (!owner) return "<none>";
          const { apiVersion = "", kind = "", name = "" } = owner;
          const group = apiVersion.split("/").slice(0, -1).join("");
          return `${kind.toLowerCase()}${group === "" ? "" : `.${group}`}/${name}`;
        },
      },
      { name: "Revision", type: "string", cell: (object) => object.revision ?? 0 },
      ageColumn,
    ],
  },
};
