import type { JsonObject } from "@kubewright/core/json";
import { type LabelSelector, type LabelSelectorObject, labelSelectorFrom } from "@kubewright/core/selector";
import { type CompiledPolicy, compilePolicy, type PolicySpec } from "../../registry/index.js";
import { type MatchCriteria, type MatchFields, parseCriteria } from "../matching/index.js";

/** Which objects a binding takes parameters from. */
export interface ParamReference {
  readonly name: string;
  /** Empty for the namespace of the request. */
  readonly namespace: string;
  /** Undefined where `name` chooses. */
  readonly selector: LabelSelector | undefined;
  /** Whether a request is rejected if there is no such object. */
  readonly isRequired: boolean;
}

/** A stored binding, parsed. */
export interface Binding {
  readonly name: string;
  readonly policyName: string;
  /** Undefined: wherever the policy matches. */
  readonly criteria: MatchCriteria | undefined;
  readonly params: ParamReference | undefined;
  /** Of a ValidatingAdmissionPolicyBinding: Deny, Warn, Audit. */
  readonly actions: readonly string[];
}

interface StoredPolicy {
  readonly metadata: { readonly name: string };
  readonly spec: PolicySpec & { readonly reinvocationPolicy?: string };
}

interface StoredBinding {
  readonly metadata: { readonly name: string };
  readonly spec: {
    readonly policyName?: string;
    readonly matchResources?: MatchFields;
    readonly paramRef?: {
      readonly name?: string;
      readonly namespace?: string;
      readonly selector?: LabelSelectorObject;
      readonly parameterNotFoundAction?: string;
    };
    readonly validationActions?: readonly string[];
  };
}

/** By stored object: a change of one policy does not compile the others again. */
const compiledPolicies = new WeakMap<JsonObject, CompiledPolicy>();

/** A stored policy, parsed. */
export class Policy {
  readonly name: string;
  readonly spec: PolicySpec;
  readonly criteria: MatchCriteria;
  readonly paramKind: PolicySpec["paramKind"];
  /** Whether an expression that fails admits the request: the failurePolicy Ignore. */
  readonly failsOpen: boolean;
  /** Of a MutatingAdmissionPolicy: whether it runs again after a later change. */
  readonly isReinvoked: boolean;
  /** Sorted by name. */
  readonly bindings: readonly Binding[];
  readonly #object: JsonObject;

  constructor(object: JsonObject, bindings: readonly Binding[]) {
    this.#object = object;
    // Stored objects are decoded, defaulted and valid.
    const { metadata, spec } = object as unknown as StoredPolicy;
    this.name = metadata.name;
    this.spec = spec;
    this.criteria = parseCriteria((spec.matchConstraints ?? {}) as MatchFields);
    this.paramKind = spec.paramKind;
    this.failsOpen = spec.failurePolicy === "Ignore";
    this.isReinvoked = spec.reinvocationPolicy === "IfNeeded";
    this.bindings = bindings;
  }

  /** Compiled when it first matches a request. */
  get compiled(): CompiledPolicy {
    const known = compiledPolicies.get(this.#object);
    if (known) return known;
    const compiled = compilePolicy(this.spec);
    compiledPolicies.set(this.#object, compiled);
    return compiled;
  }
}

/** Parses a stored binding. */
export function parseBinding(object: JsonObject): Binding {
  const { metadata, spec } = object as unknown as StoredBinding;
  const { policyName = "", matchResources, paramRef, validationActions = [] } = spec;
  return {
    name: metadata.name,
    policyName,
    criteria: matchResources && parseCriteria(matchResources),
    params: paramRef && {
      name: paramRef.name ?? "",
      namespace: paramRef.namespace ?? "",
      selector: paramRef.selector && labelSelectorFrom(paramRef.selector),
      isRequired: paramRef.parameterNotFoundAction === "Deny",
    },
    actions: validationActions,
  };
}
