import { forbidden, invalid, required, tooLong } from "@kubewright/core/schema";
import type { IngressClass, IngressClassParametersReference } from "kubewright/k8s/networking/v1";
import { ageColumn, nameOrDefaultColumn } from "../../columns.js";
import type { Decoded } from "../../decoded.js";
import { childDraft } from "../../draft.js";
import { labelName, subdomainName } from "../../name-rules.js";
import { differsOutsideStatus } from "../../same-object.js";
import type { Strategy } from "../../strategy.js";
import { checkDomainPath, checkName, checkOptionalEnum, type Errors, immutable } from "../../validation/index.js";
import { checkReference } from "./ingress.js";

/** IngressClass. */
export const ingressClassStrategy: Strategy<IngressClass> = {
  nameRule: subdomainName,
  allowUnconditionalUpdate: true,
  isNewGeneration: differsOutsideStatus,
  applyDefaults(draft) {
    const { parameters } = childDraft(draft, "spec");
    if (parameters) parameters.scope ??= "Cluster";
  },
  validate(object, old) {
    const errors: Errors = [];
    const { controller = "", parameters } = object.spec ?? {};
    if (old && controller !== (old.spec?.controller ?? ""))
      errors.push(invalid("spec.controller", controller, immutable));
    if (controller.length > 250) errors.push(tooLong("spec.controller", 250));
    checkDomainPath(controller, "spec.controller", errors);
    if (parameters) checkParameters(parameters, errors);
    return errors;
  },
  table: {
    columns: [
      nameOrDefaultColumn("ingressclass.kubernetes.io/is-default-class"),
      { name: "Controller", type: "string", cell: ({ spec }) => spec?.controller ?? "" },
      { name: "Parameters", type: "string", cell: printParameters },
      ageColumn,
    ],
  },
};

function checkParameters(parameters: Decoded<IngressClassParametersReference>, errors: Errors): void {
  const field = "spec.parameters";
  const { scope, namespace } = parameters;
  checkReference(parameters, field, errors);
  checkOptionalEnum(scope, ["Cluster", "Namespace"], `${field}.scope`, errors);
  if (scope === "Cluster" && namespace !== undefined)
    errors.push(forbidden(`${field}.namespace`, "`parameters.scope` is set to 'Cluster'"));
  if (scope !== "Namespace") return;
  if (namespace !== undefined) checkName(namespace, labelName, `${field}.namespace`, errors);
  else errors.push(required(`${field}.namespace`, "`parameters.scope` is set to 'Namespace'"));
}

function printParameters({ spec }: Decoded<IngressClass>): string {
  if (!spec?.parameters) return "<none>";
  const { kind = "", apiGroup, name = "" } = spec.parameters;
  return `${kind}${apiGroup === undefined ? "" : `.${apiGroup}`}/${name}`;
}
