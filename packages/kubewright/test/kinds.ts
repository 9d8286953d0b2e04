/** Small hand-written kinds for tests of the stages. */
import { defineKind, type ReadMeta } from "../src/definition/index.js";

/** The common fields of an object that was read. */
interface Read<Version extends string, Name extends string> {
  apiVersion: Version;
  kind: Name;
  metadata: ReadMeta;
}

export interface ConfigMapData {
  data?: Record<string, string>;
  immutable?: boolean;
}

export const ConfigMap = defineKind<
  "/v1/ConfigMap",
  "Namespaced",
  { read: Read<"v1", "ConfigMap"> & ConfigMapData; write: ConfigMapData; status: never; conditions: never }
>({ group: "", version: "v1", kind: "ConfigMap", plural: "configmaps", scope: "Namespaced" });

export interface SecretData {
  stringData?: Record<string, string>;
  data?: Record<string, string>;
}

export const Secret = defineKind<
  "/v1/Secret",
  "Namespaced",
  { read: Read<"v1", "Secret"> & SecretData; write: SecretData; status: never; conditions: never }
>({ group: "", version: "v1", kind: "Secret", plural: "secrets", scope: "Namespaced" });

export const Namespace = defineKind<
  "/v1/Namespace",
  "Cluster",
  { read: Read<"v1", "Namespace">; write: object; status: never; conditions: never }
>({ group: "", version: "v1", kind: "Namespace", plural: "namespaces", scope: "Cluster" });

export interface DeploymentSpec {
  replicas?: number;
  selector: { matchLabels?: Record<string, string> };
  template: {
    metadata?: { labels?: Record<string, string> };
    spec: { containers: { name: string; image?: string }[] };
  };
}

export const Deployment = defineKind<
  "apps/v1/Deployment",
  "Namespaced",
  {
    read: Read<"apps/v1", "Deployment"> & { spec: DeploymentSpec; status?: { availableReplicas?: number } };
    write: { spec: DeploymentSpec };
    status: { availableReplicas?: number };
    conditions: never;
  }
>({ group: "apps", version: "v1", kind: "Deployment", plural: "deployments", scope: "Namespaced" });

/** The same name as {@link Deployment} in another group. */
export const OtherDeployment = defineKind<
  "other.example.com/v1/Deployment",
  "Namespaced",
  {
    read: Read<"other.example.com/v1", "Deployment"> & { spec: DeploymentSpec };
    write: { spec: DeploymentSpec };
    status: never;
    conditions: never;
  }
>({ group: "other.example.com", version: "v1", kind: "Deployment", plural: "deployments", scope: "Namespaced" });

export interface WebsiteSpec {
  image: string;
  replicas: number;
  host?: string;
}

export interface WebsiteStatus {
  url?: string;
  availableReplicas: number;
}

export const Website = defineKind<
  "web.example.com/v1/Website",
  "Namespaced",
  {
    read: Read<"web.example.com/v1", "Website"> & { spec: WebsiteSpec; status?: WebsiteStatus };
    write: { spec: { image: string; replicas?: number; host?: string } };
    status: WebsiteStatus;
    conditions: { Ready: "Available" | "Progressing" | "TokenMissing" };
  }
>({ group: "web.example.com", version: "v1", kind: "Website", plural: "websites", scope: "Namespaced" });

/** A cluster-scoped owner. */
export const Tenant = defineKind<
  "web.example.com/v1/Tenant",
  "Cluster",
  {
    read: Read<"web.example.com/v1", "Tenant"> & { spec: { team: string } };
    write: { spec: { team: string } };
    status: never;
    conditions: never;
  }
>({ group: "web.example.com", version: "v1", kind: "Tenant", plural: "tenants", scope: "Cluster" });

/** Accepts the result of `crdOf`. */
export const CustomResourceDefinition = defineKind<
  "apiextensions.k8s.io/v1/CustomResourceDefinition",
  "Cluster",
  { read: { metadata: { name: string } }; write: { spec: object }; status: never; conditions: never }
>({
  group: "apiextensions.k8s.io",
  version: "v1",
  kind: "CustomResourceDefinition",
  plural: "customresourcedefinitions",
  scope: "Cluster",
});
