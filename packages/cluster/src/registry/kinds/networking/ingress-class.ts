import type { JsonObject } from "@kubewright/core/json";
import { forbidden, invalid, required, tooLong } from "@kubewright/core/schema";
import { ageColumn, nameOrDefaultColumn } from "../../columns.js";
import { childDraft, isDraft, objectAt, partAt, textAt } from "../../draft.js";
import { labelName, subdomainName } from "../../name-rules.js";
import { differsOutsideStatus } from "../../same-object.js";
import type { Strategy } from "../../strategy.js";
import { checkDomainPath, checkName, checkOptionalEnum, type Errors, immutable } from "../../validation/index.js";
import { checkReference } from "./ingress.js";

/** IngressClass. */
export const ingressClassStrategy: Strategy = {
  nameRule: subdomainName,
  allowUnconditionalUpdate: true,
  isNewGeneration: differsOutsideStatus,
  applyDefaults(draft) {
    const parameters = childDraft(draft, "spec")["parameters"];
    if (isDraft(parameters)) parameters["scope"] ??= "Cluster";
  },
  validate(object, old) {
    const errors: Errors = [];
    const spec = objectAt(object, "spec");
    const controller = textAt(spec, "controller");
    if (old && controller !== textAt(objectAt(old, "spec"), "controller"))
      errors.push(invalid("spec.controller", controller, immutable));
    if (controller.length > 250) errors.push(tooLong("spec.controller", 250));
    if (controller === "") errors.push(required("spec.controller"));
    else checkDomainPath(controller, "spec.controller", errors);
    const parameters = partAt(spec, "parameters");
    if (parameters) checkParameters(parameters, errors);
    return errors;
  },
  table: {
    columns: [
      nameOrDefaultColumn("ingressclass.kubernetes.io/is-default-class"),
      { name: "Controller", type: "string", cell: (object) => textAt(objectAt(object, "spec"), "controller") },
      { name: "Parameters", type: "string", cell: printParameters },
      ageColumn,
    ],
  },
};

function checkParameters(parameters: JsonObject, errors: Errors): void {
  const field = "spec.parameters";
  checkReference(parameters, field, errors);
  const scope = textAt(parameters, "scope");
  checkOptionalEnum(scope, ["Cluster", "Namespace"], `${field}.scope`, errors);
  const namespace = parameters["namespace"];
  if (scope === "Cluster" && namespace !== undefined)
    errors.push(forbidden(`${field}.namespace`, "`parameters.scope` is set to 'Cluster'"));
  if (scope !== "Namespace") return;
  if (typeof namespace === "string") checkName(namespace, labelName, `${field}.namespace`, errors);
  else errors.push(required(`${field}.namespace`, "`parameters.scope` is set to 'Namespace'"));
}

function printParameters(object: JsonObject): string {
  const parameters = partAt(objectAt(object, "spec"), "parameters");
  if (!parameters) return "<none>";
  const group = parameters["apiGroup"];
  return `${textAt(parameters, "kind")}${typeof group === "string" ? `.${group}` : ""}/${textAt(parameters, "name")}`;
}
