import { defineKind, type ReadMeta } from "../definition/index.js";

/** Desired and actual replicas: the body of the subresource `scale` of any kind. */
export interface Scale {
  apiVersion: "autoscaling/v1";
  kind: "Scale";
  metadata: ReadMeta;
  spec: { replicas?: number };
  status?: { replicas: number; selector?: string };
}

/** The kind Scale in autoscaling/v1. It has no collection: it is the body of the subresource `scale`. */
export const Scale = /* @__PURE__ */ defineKind<
  "autoscaling/v1/Scale",
  "Namespaced",
  { read: Scale; write: { spec: { replicas?: number } }; status: Scale["status"]; conditions: never }
>({ group: "autoscaling", version: "v1", kind: "Scale", plural: "scales", scope: "Namespaced" });

/** What the token is for, and for how long. */
export interface TokenRequestSpec {
  /** The audiences of the token; the API server where it is empty. */
  audiences: string[];
  expirationSeconds?: number;
  boundObjectRef?: { apiVersion?: string; kind?: string; name?: string; uid?: string };
}

/** A token for a service account: the body of the subresource `token`. */
export interface TokenRequest {
  apiVersion: "authentication.k8s.io/v1";
  kind: "TokenRequest";
  metadata: ReadMeta;
  spec: TokenRequestSpec;
  status: { token: string; expirationTimestamp: string };
}

/** The kind TokenRequest in authentication.k8s.io/v1. It has no collection: it is the body of the subresource `token`. */
export const TokenRequest = /* @__PURE__ */ defineKind<
  "authentication.k8s.io/v1/TokenRequest",
  "Namespaced",
  { read: TokenRequest; write: { spec: Partial<TokenRequestSpec> }; status: TokenRequest["status"]; conditions: never }
>({
  group: "authentication.k8s.io",
  version: "v1",
  kind: "TokenRequest",
  plural: "tokenrequests",
  scope: "Namespaced",
});

interface BindingFields {
  target: { apiVersion: string; kind: string; name: string };
}

/** The kind Binding: what the subresource `binding` of Pods speaks. */
export const Binding = /* @__PURE__ */ defineKind<
  "/v1/Binding",
  "Namespaced",
  { read: { metadata: ReadMeta } & BindingFields; write: BindingFields; status: never; conditions: never }
>({ group: "", version: "v1", kind: "Binding", plural: "bindings", scope: "Namespaced" });

/** The kind Eviction: what the subresource `eviction` of Pods speaks. */
export const Eviction = /* @__PURE__ */ defineKind<
  "policy/v1/Eviction",
  "Namespaced",
  { read: { metadata: ReadMeta }; write: object; status: never; conditions: never }
>({ group: "policy", version: "v1", kind: "Eviction", plural: "evictions", scope: "Namespaced" });

/** What an eviction is addressed to. The client needs of Pods no more than their place. */
export const evictedKind = /* @__PURE__ */ defineKind<
  "/v1/Pod",
  "Namespaced",
  { read: object; write: object; status: unknown; conditions: never }
>({ group: "", version: "v1", kind: "Pod", plural: "pods", scope: "Namespaced" });
