// Written by tools/api-data from Kubernetes v1.36.4. Do not edit.
import { defineKind, type Kind, type ReadMeta } from "../../definition/index.js";
import type { ObjectReference } from "../core/v1.gen.js";

export interface Endpoint {
  addresses: string[];
  conditions?: EndpointConditions | undefined;
  deprecatedTopology?: Record<string, string> | undefined;
  hints?: EndpointHints | undefined;
  hostname?: string | undefined;
  nodeName?: string | undefined;
  targetRef?: ObjectReference | undefined;
  zone?: string | undefined;
}

export interface EndpointConditions {
  ready?: boolean | undefined;
  serving?: boolean | undefined;
  terminating?: boolean | undefined;
}

export interface EndpointHints {
  forNodes?: ForNode[] | undefined;
  forZones?: ForZone[] | undefined;
}

export interface EndpointPort {
  appProtocol?: string | undefined;
  name?: string | undefined;
  port?: number | undefined;
  protocol?: "SCTP" | "TCP" | "UDP" | undefined;
}

/** An object of kind EndpointSlice in discovery.k8s.io/v1. */
export interface EndpointSlice {
  apiVersion: "discovery.k8s.io/v1";
  kind: "EndpointSlice";
  metadata: ReadMeta;
  addressType: "FQDN" | "IPv4" | "IPv6";
  endpoints?: Endpoint[] | undefined;
  ports?: EndpointPort[] | undefined;
}
interface EndpointSliceTypes { read: EndpointSlice; write: { addressType: "FQDN" | "IPv4" | "IPv6"; endpoints?: Endpoint[] | undefined; ports?: EndpointPort[] | undefined; }; status: never; conditions: never }
/** The kind EndpointSlice in discovery.k8s.io/v1. */
export const EndpointSlice: Kind<"discovery.k8s.io/v1/EndpointSlice", "Namespaced", EndpointSliceTypes> = /* @__PURE__ */ defineKind({ group: "discovery.k8s.io", version: "v1", kind: "EndpointSlice", plural: "endpointslices", scope: "Namespaced" });

export interface ForNode {
  name: string;
}

export interface ForZone {
  name: string;
}
