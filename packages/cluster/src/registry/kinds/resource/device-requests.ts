import { deepEqual } from "@kubewright/core/json";
import { type FieldError, invalid } from "@kubewright/core/schema";
import type { ResourceClaim, ResourceClaimSpec, ResourceClaimTemplate } from "kubewright/k8s/resource/v1";
import type { Decoded, Drafted } from "../../decoded.js";
import { childDraft } from "../../draft.js";
import { subdomainName } from "../../name-rules.js";
import { immutable } from "../../validation/index.js";

/** The common strategy of DRA kinds. */
export const shared = { nameRule: subdomainName, allowUnconditionalUpdate: true, deletion: { returnsObject: true } };

/** Sets the defaults of the device requests of a ResourceClaimSpec. */
export function defaultRequests(spec: Drafted<ResourceClaimSpec>): void {
  for (const { exactly, firstAvailable = [] } of childDraft(spec, "devices").requests ?? [])
    for (const choice of [...(exactly ? [exactly] : []), ...firstAvailable]) {
      choice.allocationMode ||= "ExactCount";
      if (choice.allocationMode === "ExactCount") choice.count ??= 1;
    }
}

type ClaimOrTemplate = Decoded<ResourceClaim | ResourceClaimTemplate>;

/** Rejects a change of the spec. */
export function checkSpecImmutable(object: ClaimOrTemplate, old: ClaimOrTemplate): FieldError[] {
  return deepEqual(object.spec, old.spec) ? [] : [invalid("spec", object.spec ?? null, immutable)];
}
