import { goJson } from "@kubewright/core/json";
import { type AdmissionRequest, ApiFailure, andThen, type Eventually, forbidden } from "../../registry/index.js";
import { requestObject } from "../expressions/index.js";
import { admittedObjects, isExempt } from "../matching/index.js";
import type { AdmissionPlugin } from "../plugin.js";
import { rejectionName } from "../rejection.js";
import { PolicyEvaluation } from "./evaluation.js";
import { inOrder } from "./in-order.js";
import { type Invocation, invocationsOf, type Misconfiguration, namespaceObject } from "./invocations.js";
import type { Policy } from "./policy.js";
import { type PolicyDependencies, PolicySource } from "./policy-source.js";
import { type Denial, validate } from "./validation.js";

/** ValidatingAdmissionPolicy: evaluates all policies that a request matches, then rejects it with the first denial. */
export function validatingPolicies(dependencies: PolicyDependencies): AdmissionPlugin {
  const source = new PolicySource(dependencies.registry, "validating");
  return {
    name: "ValidatingAdmissionPolicy",
    // Only a conversion webhook makes it wait.
    mayWait: (resource) => resource.convert !== undefined && source.concerning(resource).length > 0,
    validate(request) {
      const policies = source.concerning(request.resource);
      if (policies.length === 0 || isExempt(request)) return;
      const review = new Review(request, source, dependencies);
      return andThen(
        inOrder(policies, (policy) => review.apply(policy)),
        () => review.decide(),
      );
    },
  };
}

interface Rejection {
  readonly source: Invocation | Misconfiguration;
  readonly message: string;
  /** Empty for an expression that failed. */
  readonly reason: string;
}

const codes: Readonly<Record<string, number>> = { Forbidden: 403, RequestEntityTooLarge: 413, Invalid: 422 };
const failureKey = "validation.policy.admission.k8s.io/validation_failure";
const maxAnnotationBytes = 10 * 1_024;

/** The policies of one request. */
class Review {
  readonly #request: AdmissionRequest;
  readonly #source: PolicySource;
  readonly #dependencies: PolicyDependencies;
  readonly #rejections: Rejection[] = [];

  constructor(request: AdmissionRequest, source: PolicySource, dependencies: PolicyDependencies) {
    this.#request = request;
    this.#source = source;
    this.#dependencies = dependencies;
  }

  apply(policy: Policy): Eventually<void> {
    const { registry } = this.#dependencies;
    const annotations = new Map<string, Set<string>>();
    const uses = invocationsOf(policy, this.#request, this.#source.context, registry);
    return andThen(
      inOrder(uses, (use) => {
        if (use.kind === "invocation") return this.#invoke(use, annotations);
        if (!policy.failsOpen) this.#rejections.push({ source: use, message: use.message, reason: "" });
      }),
      () => {
        for (const [key, values] of annotations)
          this.#request.annotate?.(`${policy.name}/${key}`, [...values].join(", "));
      },
    );
  }

  /** Throws the rejection of a denied request. */
  decide(): void {
    const [first] = this.#rejections;
    if (first === undefined) return;
    const { policy, binding } = first.source;
    const through = binding === undefined ? "" : ` with binding '${binding.name}'`;
    const message = `ValidatingAdmissionPolicy '${policy.name}'${through} denied request: ${first.message}`;
    const { resource } = this.#request;
    const { status } = forbidden(resource, rejectionName(this.#request), message, [{ message }]);
    const reason = first.reason || "Invalid";
    throw new ApiFailure(codes[reason] ?? 422, reason, status.message ?? message, status.details);
  }

  #invoke(invocation: Invocation, annotations: Map<string, Set<string>>): Eventually<void> {
    const { policy, match, params } = invocation;
    const { registry, authorizer } = this.#dependencies;
    const namespace = namespaceObject(this.#request, registry);
    return andThen(admittedObjects(this.#request, match.resource), (objects) => {
      const request = requestObject(this.#request, match);
      const input = { request, ...objects, namespace, params, user: this.#request.user, authorizer };
      const result = validate(policy, new PolicyEvaluation(policy.compiled, input));
      for (const denial of result.denials) this.#deny(denial, invocation);
      for (const annotation of result.annotations) {
        if (annotation.kind === "denied")
          this.#rejections.push({ source: invocation, message: annotation.message, reason: "" });
        else {
          const values = annotations.get(annotation.key) ?? new Set();
          annotations.set(annotation.key, values.add(annotation.value.slice(0, maxAnnotationBytes)));
        }
      }
    });
  }

  #deny({ index, message, reason }: Denial, invocation: Invocation): void {
    const { policy, binding } = invocation;
    for (const action of binding.actions) {
      if (action === "Deny") this.#rejections.push({ source: invocation, message, reason });
      else if (action === "Warn") {
        this.#request.warn(
          `Validation failed for ValidatingAdmissionPolicy '${policy.name}' with binding '${binding.name}': ${message}`,
        );
      } else if (action === "Audit") {
        const failure = {
          message,
          policy: policy.name,
          binding: binding.name,
          expressionIndex: index,
          validationActions: [...binding.actions],
        };
        this.#request.annotate?.(failureKey, goJson([failure]));
      }
    }
  }
}
