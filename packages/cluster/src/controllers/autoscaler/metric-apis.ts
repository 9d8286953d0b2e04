import { isJsonObject, type JsonObject } from "@kubewright/core/json";
import { parseDuration } from "@kubewright/core/meta";
import type { Client } from "kubewright";
import { clientText, textOf } from "./client-text.js";
import type { PodSample } from "./pod-groups.js";
import { milliOf } from "./pod-requests.js";
import { kindOf } from "./scale-target.js";

/** Whose metric it is. */
export interface DescribedObject {
  readonly apiVersion?: string | undefined;
  readonly kind: string;
  readonly name: string;
}

/** How long a metric was measured where it does not say. */
const usualWindowMs = 60_000;
const customGroup = "custom.metrics.k8s.io";
const knownCustomVersions = ["v1beta2", "v1beta1"];

/** Reads metrics where servers of metrics serve them. Throws with the words of Kubernetes' own autoscaler where there are none. */
export class MetricApis {
  readonly #client: Client;

  constructor(client: Client) {
    this.#client = client;
  }

  /** What the selected pods use of a resource; or one container of each. Pods of which that is not known are left out. */
  async podResource(
    namespace: string,
    labelSelector: string,
    resource: string,
    container: string | undefined,
  ): Promise<Map<string, PodSample>> {
    const items = await this.#items(
      "resource",
      `/apis/metrics.k8s.io/v1beta1/namespaces/${namespace}/pods`,
      { labelSelector },
      "pods.metrics.k8s.io",
    );
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

  /** A metric of each of the selected pods. */
  async podMetric(
    namespace: string,
    labelSelector: string,
    metric: string,
    metricLabelSelector: string,
  ): Promise<Map<string, PodSample>> {
    const path = async () => `${await this.#customRoot()}/namespaces/${namespace}/pods/*/${encodeURIComponent(metric)}`;
    const query = { labelSelector, metricLabelSelector };
    const items = await this.#items("custom", path, query, `pods.${customGroup}`);
    return new Map(
      items.map((item) => {
        const seconds = item["windowSeconds"] ?? item["window"];
        const windowMs = typeof seconds === "number" ? seconds * 1_000 : usualWindowMs;
        return [
          nameOf(item["describedObject"]),
          { milli: milliOf(text(item["value"])), atMs: timeOf(item), windowMs },
        ] as const;
      }),
    );
  }

  /** A metric of one object, in thousandths. */
  async objectMetric(
    namespace: string,
    described: DescribedObject,
    metric: string,
    metricLabelSelector: string,
  ): Promise<bigint> {
    const items = await this.#items(
      "custom",
      async () => {
        const root = `${await this.#customRoot()}/namespaces/${namespace}`;
        const { apiVersion = "", kind, name } = described;
        const group = apiVersion.includes("/") ? (apiVersion.split("/")[0] ?? "") : "";
        if (kind === "Namespace" && group === "") return `${root}/metrics/${encodeURIComponent(metric)}`;
        const resource = await resourceOf(this.#client, group, kind);
        return `${root}/${resource}/${encodeURIComponent(name)}/${encodeURIComponent(metric)}`;
      },
      { metricLabelSelector },
      `${described.name}.${customGroup}`,
    );
    const [only] = items;
    return milliOf(text(only?.["value"]));
  }

  /** Every value of a metric from outside the cluster, in thousandths. */
  async external(namespace: string, metric: string, labelSelector: string): Promise<readonly bigint[]> {
    const path = `/apis/external.metrics.k8s.io/v1beta1/namespaces/${namespace}/${encodeURIComponent(metric)}`;
    const items = await this.#items("external", path, { labelSelector }, `${metric}.external.metrics.k8s.io`);
    return items.map(({ value }) => milliOf(text(value)));
  }

  async #items(
    api: "resource" | "custom" | "external",
    path: string | (() => Promise<string>),
    query: Readonly<Record<string, string>>,
    resource: string,
  ): Promise<readonly JsonObject[]> {
    const given = Object.fromEntries(Object.entries(query).filter(([, value]) => value !== ""));
    let body: unknown;
    try {
      const where = typeof path === "string" ? path : await path();
      body = (await this.#client.request({ method: "GET", path: where, query: given })).body;
    } catch (error) {
      throw new Error(`unable to fetch metrics from ${api} metrics API: ${clientText(error, resource)}`, {
        cause: error,
      });
    }
    const items = isJsonObject(body) ? objects(body["items"]) : [];
    if (items.length === 0) throw new Error(`no metrics returned from ${api} metrics API`);
    return items;
  }

  /** Where metrics of objects are served. */
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

/** The resource of a kind, with its group, as it stands in a path. */
async function resourceOf(client: Client, group: string, kind: string): Promise<string> {
  try {
    const { plural } = await kindOf(client, group, kind);
    return group === "" ? plural : `${plural}.${group}`;
  } catch (error) {
    const printed = group === "" ? kind : `${kind}.${group}`;
    throw new Error(`unable to map kind ${printed} to resource: ${textOf(error)}`, { cause: error });
  }
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
