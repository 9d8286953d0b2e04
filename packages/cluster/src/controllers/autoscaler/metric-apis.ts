import { isJsonObject, type JsonObject } from "@kubewright/core/json";
import { parseDuration } from "@kubewright/core/meta";
import type { Client } from "kubewright";
import { clientMessage, messageOf } from "./client-message.js";
import type { PodSample } from "./pod-groups.js";
import { milliOf } from "./pod-requests.js";
import { kindOf } from "./scale-target.js";

/** The object that a metric describes. */
export interface DescribedObject {
  readonly apiVersion?: string | undefined;
  readonly kind: string;
  readonly name: string;
}

/** The window of a metric that specifies none. */
const defaultWindowMs = 60_000;
const customGroup = "custom.metrics.k8s.io";
const knownCustomVersions = ["v1beta2", "v1beta1"];

type Api = "resource" | "custom" | "external";

/** The path of a metric, and the resource name for error messages. */
interface MetricPath {
  readonly path: string;
  readonly subject: string;
}

/** Reads the resource, custom and external metrics APIs. Errors carry kube-controller-manager's messages. */
export class MetricApis {
  readonly #client: Client;

  constructor(client: Client) {
    this.#client = client;
  }

  /** The usage of a resource by each selected Pod, or by one container of each. Pods without complete metrics are omitted. */
  async podResource(
    namespace: string,
    labelSelector: string,
    resource: string,
    container: string | undefined,
  ): Promise<Map<string, PodSample>> {
    const path = `/apis/metrics.k8s.io/v1beta1/namespaces/${namespace}/pods`;
    const metricPath = { path, subject: "pods.metrics.k8s.io" };
    const items = nonEmpty("resource", await this.#fetch("resource", () => metricPath, { labelSelector }));
    const samples = new Map<string, PodSample>();
    for (const item of items) {
      const containers = objects(item["containers"]).filter(
        ({ name }) => container === undefined || name === container,
      );
      const usages = containers.map(({ usage }) => (isJsonObject(usage) ? usage[resource] : undefined));
      if (usages.length === 0 || usages.some((usage) => usage === undefined)) continue;
      const milli = usages.reduce((sum: bigint, usage) => sum + milliOf(text(usage)), 0n);
      samples.set(nameOf(item["metadata"]), { milli, atMs: timeOf(item), windowMs: windowOf(text(item["window"])) });
    }
    return samples;
  }

  /** A custom metric of each selected Pod. */
  async podMetric(
    namespace: string,
    labelSelector: string,
    metric: string,
    metricLabelSelector: string,
  ): Promise<Map<string, PodSample>> {
    const metricPath = (): Promise<MetricPath> => this.#customPath(namespace, "pods", "*", metric);
    const items = nonEmpty("custom", await this.#fetch("custom", metricPath, { labelSelector, metricLabelSelector }));
    return new Map(
      items.map((item) => {
        const seconds = item["windowSeconds"] ?? item["window"];
        const windowMs = typeof seconds === "number" ? seconds * 1_000 : defaultWindowMs;
        const sample = { milli: milliOf(text(item["value"])), atMs: timeOf(item), windowMs };
        return [nameOf(item["describedObject"]), sample] as const;
      }),
    );
  }

  /** A custom metric of one object, in milli-units. */
  async objectMetric(
    namespace: string,
    { apiVersion = "", kind, name }: DescribedObject,
    metric: string,
    metricLabelSelector: string,
  ): Promise<bigint> {
    const group = apiVersion.includes("/") ? (apiVersion.split("/")[0] ?? "") : "";
    const metricPath = async (): Promise<MetricPath> =>
      kind === "Namespace" && group === ""
        ? this.#customPath(namespace, "metrics", metric)
        : this.#customPath(namespace, await resourceOf(this.#client, group, kind), name, metric);
    const [only, ...others] = await this.#fetch("custom", metricPath, { metricLabelSelector });
    if (only === undefined || others.length > 0) {
      const count = only === undefined ? 0 : others.length + 1;
      const why = `the custom metrics API server returned ${count} results when we asked for exactly one`;
      throw new Error(`unable to fetch metrics from custom metrics API: ${why}`);
    }
    return milliOf(text(only["value"]));
  }

  /** All values of an external metric, in milli-units. */
  async external(namespace: string, metric: string, labelSelector: string): Promise<readonly bigint[]> {
    const path = `/apis/external.metrics.k8s.io/v1beta1/namespaces/${namespace}/${encodeURIComponent(metric)}`;
    const metricPath = { path, subject: `${metric}.external.metrics.k8s.io` };
    const items = nonEmpty("external", await this.#fetch("external", () => metricPath, { labelSelector }));
    return items.map(({ value }) => milliOf(text(value)));
  }

  async #fetch(
    api: Api,
    metricPath: () => MetricPath | Promise<MetricPath>,
    query: Readonly<Record<string, string>>,
  ): Promise<readonly JsonObject[]> {
    const given = Object.fromEntries(Object.entries(query).filter(([, value]) => value !== ""));
    let subject = "";
    try {
      const found = await metricPath();
      ({ subject } = found);
      const { body } = await this.#client.request({ method: "GET", path: found.path, query: given });
      return isJsonObject(body) ? objects(body["items"]) : [];
    } catch (error) {
      throw new Error(`unable to fetch metrics from ${api} metrics API: ${clientMessage(error, subject)}`, {
        cause: error,
      });
    }
  }

  async #customPath(namespace: string, resource: string, name: string, metric?: string): Promise<MetricPath> {
    const parts = [name, ...(metric === undefined ? [] : [metric])].map((part) =>
      part === "*" ? part : encodeURIComponent(part),
    );
    const path = `${await this.#customRoot()}/namespaces/${namespace}/${resource}/${parts.join("/")}`;
    return { path, subject: `${resource}.${customGroup} ${name}` };
  }

  /** The root path of the preferred version of the custom metrics API. */
  async #customRoot(): Promise<string> {
    const { body } = await this.#client.request({ method: "GET", path: "/apis" });
    const group = isJsonObject(body) ? objects(body["groups"]).find(({ name }) => name === customGroup) : undefined;
    if (group === undefined) throw new Error(`no custom metrics API (${customGroup}) registered`);
    const preferred = isJsonObject(group["preferredVersion"]) ? [group["preferredVersion"]] : [];
    const version = [...preferred, ...objects(group["versions"])]
      .map((one) => text(one["version"]))
      .find((one) => knownCustomVersions.includes(one));
    if (version === undefined) throw new Error("no known available metric versions found");
    return `/apis/${customGroup}/${version}`;
  }
}

/** The `resource.group` of a kind, for a custom metrics path. */
async function resourceOf(client: Client, group: string, kind: string): Promise<string> {
  try {
    const { plural } = await kindOf(client, group, kind);
    return group === "" ? plural : `${plural}.${group}`;
  } catch (error) {
    const printed = group === "" ? kind : `${kind}.${group}`;
    throw new Error(`unable to map kind ${printed} to resource: ${messageOf(error)}`, { cause: error });
  }
}

/** Throws if there are no metrics. */
function nonEmpty(api: Api, items: readonly JsonObject[]): readonly JsonObject[] {
  if (items.length === 0) throw new Error(`no metrics returned from ${api} metrics API`);
  return items;
}

function objects(value: unknown): readonly JsonObject[] {
  return Array.isArray(value) ? value.filter(isJsonObject) : [];
}

function text(value: unknown): string {
  return typeof value === "string" || typeof value === "number" ? String(value) : "0";
}

function nameOf(value: unknown): string {
  return isJsonObject(value) ? text(value["name"]) : "";
}

function timeOf({ timestamp }: JsonObject): number {
  return Date.parse(text(timestamp)) || 0;
}

function windowOf(duration: string): number {
  try {
    return parseDuration(duration);
  } catch {
    return 0;
  }
}
