// Written by tools/api-data from Kubernetes v1.36.4. Do not edit.
import { defineKind, type Kind, type ReadMeta } from "../../definition/index.js";
import type { TypedLocalObjectReference } from "../core/v1.gen.js";
import type { Condition, LabelSelector } from "../meta/v1.gen.js";

export interface HTTPIngressPath {
  backend: IngressBackend;
  path?: string | undefined;
  pathType: "Exact" | "ImplementationSpecific" | "Prefix";
}

export interface HTTPIngressRuleValue {
  paths: HTTPIngressPath[];
}

/** An object of kind IPAddress in networking.k8s.io/v1. */
export interface IPAddress {
  apiVersion: "networking.k8s.io/v1";
  kind: "IPAddress";
  metadata: ReadMeta;
  spec: IPAddressSpec;
}
interface IPAddressTypes { read: IPAddress; write: { spec: IPAddressSpec; }; status: never; conditions: never }
/** The kind IPAddress in networking.k8s.io/v1. */
export const IPAddress: Kind<"networking.k8s.io/v1/IPAddress", "Cluster", IPAddressTypes> = /* @__PURE__ */ defineKind({ group: "networking.k8s.io", version: "v1", kind: "IPAddress", plural: "ipaddresses", scope: "Cluster" });

export interface IPAddressSpec {
  parentRef: ParentReference;
}

export interface IPBlock {
  cidr: string;
  except?: string[] | undefined;
}

/** An object of kind Ingress in networking.k8s.io/v1. */
export interface Ingress {
  apiVersion: "networking.k8s.io/v1";
  kind: "Ingress";
  metadata: ReadMeta;
  spec: IngressSpec;
  status?: IngressStatus;
}
interface IngressTypes { read: Ingress; write: { spec?: IngressSpec | undefined; }; status: IngressStatus; conditions: never }
/** The kind Ingress in networking.k8s.io/v1. */
export const Ingress: Kind<"networking.k8s.io/v1/Ingress", "Namespaced", IngressTypes> = /* @__PURE__ */ defineKind({ group: "networking.k8s.io", version: "v1", kind: "Ingress", plural: "ingresses", scope: "Namespaced" });

export interface IngressBackend {
  resource?: TypedLocalObjectReference | undefined;
  service?: IngressServiceBackend | undefined;
}

/** An object of kind IngressClass in networking.k8s.io/v1. */
export interface IngressClass {
  apiVersion: "networking.k8s.io/v1";
  kind: "IngressClass";
  metadata: ReadMeta;
  spec: IngressClassSpec;
}
interface IngressClassTypes { read: IngressClass; write: { spec?: IngressClassSpec | undefined; }; status: never; conditions: never }
/** The kind IngressClass in networking.k8s.io/v1. */
export const IngressClass: Kind<"networking.k8s.io/v1/IngressClass", "Cluster", IngressClassTypes> = /* @__PURE__ */ defineKind({ group: "networking.k8s.io", version: "v1", kind: "IngressClass", plural: "ingressclasses", scope: "Cluster" });

export interface IngressClassParametersReference {
  apiGroup?: string | undefined;
  kind: string;
  name: string;
  namespace?: string | undefined;
  scope?: string | undefined;
}

export interface IngressClassSpec {
  controller?: string | undefined;
  parameters?: IngressClassParametersReference | undefined;
}

export interface IngressLoadBalancerIngress {
  hostname?: string | undefined;
  ip?: string | undefined;
  ports?: IngressPortStatus[] | undefined;
}

export interface IngressLoadBalancerStatus {
  ingress?: IngressLoadBalancerIngress[] | undefined;
}

export interface IngressPortStatus {
  error?: string | undefined;
  port: number;
  protocol: "SCTP" | "TCP" | "UDP";
}

export interface IngressRule {
  host?: string | undefined;
  http?: HTTPIngressRuleValue | undefined;
}

export interface IngressServiceBackend {
  name: string;
  port?: ServiceBackendPort | undefined;
}

export interface IngressSpec {
  defaultBackend?: IngressBackend | undefined;
  ingressClassName?: string | undefined;
  rules?: IngressRule[] | undefined;
  tls?: IngressTLS[] | undefined;
}

export interface IngressStatus {
  loadBalancer?: IngressLoadBalancerStatus | undefined;
}

export interface IngressTLS {
  hosts?: string[] | undefined;
  secretName?: string | undefined;
}

/** An object of kind NetworkPolicy in networking.k8s.io/v1. */
export interface NetworkPolicy {
  apiVersion: "networking.k8s.io/v1";
  kind: "NetworkPolicy";
  metadata: ReadMeta;
  spec: NetworkPolicySpec;
}
interface NetworkPolicyTypes { read: NetworkPolicy; write: { spec?: NetworkPolicySpec | undefined; }; status: never; conditions: never }
/** The kind NetworkPolicy in networking.k8s.io/v1. */
export const NetworkPolicy: Kind<"networking.k8s.io/v1/NetworkPolicy", "Namespaced", NetworkPolicyTypes> = /* @__PURE__ */ defineKind({ group: "networking.k8s.io", version: "v1", kind: "NetworkPolicy", plural: "networkpolicies", scope: "Namespaced" });

export interface NetworkPolicyEgressRule {
  ports?: NetworkPolicyPort[] | undefined;
  to?: NetworkPolicyPeer[] | undefined;
}

export interface NetworkPolicyIngressRule {
  from?: NetworkPolicyPeer[] | undefined;
  ports?: NetworkPolicyPort[] | undefined;
}

export interface NetworkPolicyPeer {
  ipBlock?: IPBlock | undefined;
  namespaceSelector?: LabelSelector | undefined;
  podSelector?: LabelSelector | undefined;
}

export interface NetworkPolicyPort {
  endPort?: number | undefined;
  port?: number | string | undefined;
  protocol?: "SCTP" | "TCP" | "UDP" | undefined;
}

export interface NetworkPolicySpec {
  egress?: NetworkPolicyEgressRule[] | undefined;
  ingress?: NetworkPolicyIngressRule[] | undefined;
  podSelector?: LabelSelector | undefined;
  policyTypes?: ("Egress" | "Ingress")[] | undefined;
}

export interface ParentReference {
  group?: string | undefined;
  name: string;
  namespace?: string | undefined;
  resource: string;
}

export interface ServiceBackendPort {
  name?: string | undefined;
  number?: number | undefined;
}

/** An object of kind ServiceCIDR in networking.k8s.io/v1. */
export interface ServiceCIDR {
  apiVersion: "networking.k8s.io/v1";
  kind: "ServiceCIDR";
  metadata: ReadMeta;
  spec: ServiceCIDRSpec;
  status?: ServiceCIDRStatus;
}
interface ServiceCIDRTypes { read: ServiceCIDR; write: { spec?: ServiceCIDRSpec | undefined; }; status: ServiceCIDRStatus; conditions: never }
/** The kind ServiceCIDR in networking.k8s.io/v1. */
export const ServiceCIDR: Kind<"networking.k8s.io/v1/ServiceCIDR", "Cluster", ServiceCIDRTypes> = /* @__PURE__ */ defineKind({ group: "networking.k8s.io", version: "v1", kind: "ServiceCIDR", plural: "servicecidrs", scope: "Cluster" });

export interface ServiceCIDRSpec {
  cidrs?: string[] | undefined;
}

export interface ServiceCIDRStatus {
  conditions?: Condition[] | undefined;
}
