import { ApiError, OperatorError } from "@kubewright/core/errors";
import { deepFreeze, isJsonObject, type JsonObject, normaliseJson } from "@kubewright/core/json";
import { type LabelSelector, labelSelectorFrom, parseLabelSelector } from "@kubewright/core/selector";
import type { AnyKind } from "kubewright";
import type { AdmissionReads, ReadName, ReadScope } from "kubewright/webhook";

/** Reads of a webhook from a list of objects, instead of a cluster. Lists select by namespace and labels. */
export function objectReads(objects: readonly object[]): AdmissionReads {
  const stored = objects.map((object) => deepFreeze(normaliseJson(object))).filter(isJsonObject);
  const find = (kind: AnyKind, name: ReadName, scope: ReadScope): JsonObject | undefined => {
    requireUse(kind, scope);
    const { name: wanted, namespace = scope.namespace } = typeof name === "string" ? { name } : name;
    return stored.find((object) => {
      const meta = metaOf(object);
      const isThere = kind.scope === "Cluster" || (meta["namespace"] ?? "default") === namespace;
      return isOf(kind, object) && meta["name"] === wanted && isThere;
    });
  };
  return {
    find: async (kind, name, scope) => find(kind, name, scope),
    get: async (kind, name, scope) => find(kind, name, scope) ?? notFound(kind, name),
    list: async (kind, { namespace, allNamespaces = false, labels, fields, index }, scope) => {
      requireUse(kind, scope);
      if (fields !== undefined || index !== undefined)
        throw new OperatorError(
          "NOT_SUPPORTED",
          `Cannot list ${kind.kind} objects by fields or an index in \`admit\`: use a test cluster`,
        );
      const within = kind.scope === "Cluster" || allNamespaces ? undefined : (namespace ?? scope.namespace);
      const selector = selectorOf(labels);
      return stored.filter((object) => {
        const meta = metaOf(object);
        const isThere = within === undefined || within === "" || (meta["namespace"] ?? "default") === within;
        return isOf(kind, object) && isThere && selector.matches(meta["labels"] as Record<string, string> | undefined);
      });
    },
  };
}

function requireUse(kind: AnyKind, { webhook }: ReadScope): void {
  if (webhook.uses.some((use) => use.kind.id === kind.id)) return;
  throw new OperatorError(
    "CONFIG_INVALID",
    `Cannot read ${kind.kind} objects in webhook "${webhook.name}": declare ${kind.id} in \`uses\``,
  );
}

function selectorOf(labels: Parameters<AdmissionReads["list"]>[1]["labels"] = {}): LabelSelector {
  if (typeof labels === "string") return parseLabelSelector(labels);
  const { matchLabels, matchExpressions } = labels;
  const isSelector = typeof matchLabels === "object" || typeof matchExpressions === "object";
  return labelSelectorFrom((isSelector ? labels : { matchLabels: labels }) as Parameters<typeof labelSelectorFrom>[0]);
}

function isOf({ group, version, kind }: AnyKind, object: JsonObject): boolean {
  return object["kind"] === kind && object["apiVersion"] === (group === "" ? version : `${group}/${version}`);
}

function metaOf({ metadata }: JsonObject): JsonObject {
  return isJsonObject(metadata) ? metadata : {};
}

function notFound(kind: AnyKind, named: ReadName): never {
  const name = typeof named === "string" ? named : named.name;
  const message = `${kind.group === "" ? kind.plural : `${kind.plural}.${kind.group}`} "${name}" not found`;
  throw new ApiError(404, `Cannot get ${kind.kind} "${name}": ${message}`, {
    kind: "Status",
    apiVersion: "v1",
    metadata: {},
    status: "Failure",
    message,
    reason: "NotFound",
    details: { name, group: kind.group, kind: kind.plural },
    code: 404,
  });
}
