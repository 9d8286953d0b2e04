import { isNotFound, OperatorError } from "@kubewright/core/errors";
import { isJsonObject, type JsonObject } from "@kubewright/core/json";
import type { Client } from "kubewright";
import { type DiscoveredKind, type FieldChange, fieldChanges } from "kubewright/client";
import { ConfigMap, Namespace } from "kubewright/k8s/core/v1";
import {
  type ApplySetParent,
  applySetId,
  groupKindsAnnotation,
  idLabel,
  namespacesAnnotation,
  partOfLabel,
  toolingAnnotation,
} from "./identity.js";
import { groupKind, type Member, memberKey, memberOf, nameFor, printedName } from "./member.js";

const fieldManager = "kubewright";
const tooling = "kubewright/v0.1.0";

/** What happened, or with a dry run would happen, to one object. */
export interface AppliedObject {
  /** As kubectl prints it: `deployment.apps/web`. */
  readonly object: string;
  readonly result: "created" | "configured" | "unchanged" | "pruned" | "deleted";
  /** Of a configured object. */
  readonly changes: readonly FieldChange[];
}

/** How a set is applied. */
export interface ApplySetOptions {
  /** Sends every write as a server-side dry run, and changes nothing. */
  readonly dryRun: boolean;
  /** Called for each object, as soon as it is known. */
  readonly report: (applied: AppliedObject) => void;
  /** Called after CRDs were applied and before what may need them. */
  readonly applied?: (member: Member) => Promise<void>;
  readonly signal?: AbortSignal | undefined;
}

/**
 * Objects that were applied together, so that what a newer version no longer has is deleted: an ApplySet of KEP-3659, which `kubectl apply --applyset`
 * understands. Its parent is a ConfigMap.
 */
export class ApplySet {
  readonly #client: Client;
  readonly #parent: ApplySetParent;
  readonly #id: string;

  constructor(client: Client, parent: ApplySetParent) {
    this.#client = client;
    this.#parent = parent;
    this.#id = applySetId(parent);
  }

  /**
   * Applies the objects in their order with server-side apply, and deletes the members that are no longer among them. The parent lists every kind before
   * an object of it exists: an interrupted apply leaves nothing that the next one does not find.
   *
   * Rejects at the first object that the server rejects; the ones before stay applied.
   */
  async apply(objects: readonly JsonObject[], options: ApplySetOptions): Promise<void> {
    const known = await this.#readKinds();
    // Its own namespace is a member and comes first: the parent lives in it.
    const [first, ...rest] = objects;
    const own = first !== undefined && isNamespace(first, this.#parent.namespace) ? first : undefined;
    const all = own === undefined ? objects : rest;
    const home = own && (await this.#applyNamespace(own, options));
    const isHomeless = options.dryRun && (await this.#isNamespaceMissing());
    const members: Member[] = home ? [home] : [];
    const planned = await Promise.all(all.map((object) => memberOf(this.#client, object)));
    const kinds = [...new Set([...known, ...members.map(groupKindOf), ...planned.map(groupKindOf)])];
    if (!options.dryRun) await this.#writeParent(kinds, planned);
    for (const member of planned) {
      await this.#applyMember(member, options, isHomeless);
      members.push(member);
    }
    await this.#prune(kinds, new Set(members.map(memberKey)), options);
    if (!options.dryRun) await this.#writeParent([...new Set(members.map(groupKindOf))], members);
  }

  /** Deletes all members, the last kind first, then the parent, then its namespace where it is a member. Resolves when they are deleted, or being deleted. */
  async delete({ dryRun, report, signal }: Omit<ApplySetOptions, "applied">): Promise<void> {
    const kinds = await this.#readKinds();
    const members = (await this.#members(kinds)).sort((a, b) => deletionOrder(a) - deletionOrder(b));
    const namespaces = members.filter(({ kind, name }) => kind.kind === "Namespace" && name === this.#parent.namespace);
    for (const member of members.filter((one) => !namespaces.includes(one))) {
      await this.#deleteMember(member, { dryRun, signal });
      report({ object: printedName(member), result: "deleted", changes: [] });
    }
    if (!dryRun) await this.#client.delete(ConfigMap, this.#parent).catch(ignoreMissing);
    for (const member of namespaces) {
      await this.#deleteMember(member, { dryRun, signal });
      report({ object: printedName(member), result: "deleted", changes: [] });
    }
  }

  /** Whether the set exists. */
  async exists(): Promise<boolean> {
    return (await this.#client.find(ConfigMap, this.#parent)) !== undefined;
  }

  /** A namespace of another origin is used and not taken over: deleting the set must not delete it. */
  async #applyNamespace(object: JsonObject, options: ApplySetOptions): Promise<Member | undefined> {
    const found = await this.#client.find(Namespace, this.#parent.namespace);
    if (found !== undefined && found.metadata.labels?.[partOfLabel] !== this.#id) return undefined;
    const member = await memberOf(this.#client, object);
    await this.#applyMember(member, options, false);
    return member;
  }

  async #isNamespaceMissing(): Promise<boolean> {
    return (await this.#client.find(Namespace, this.#parent.namespace)) === undefined;
  }

  async #applyMember(
    member: Member,
    { dryRun, report, applied, signal }: ApplySetOptions,
    isHomeless: boolean,
  ): Promise<void> {
    const { kind, object, namespace } = member;
    // A dry run in a namespace that does not exist is rejected.
    if (isHomeless && namespace === this.#parent.namespace) {
      report({ object: printedName(member), result: "created", changes: [] });
      return;
    }
    const before = await this.#client.find(kind, nameFor(member));
    const labelled = withLabel(object, this.#id);
    const how = { fieldManager, force: true, dryRun, ...(signal && { signal }) };
    const after = await this.#client.apply(kind, labelled as never, how);
    const changes =
      before === undefined
        ? []
        : fieldChanges(before as JsonObject, after as JsonObject, { values: kind.kind !== "Secret" });
    const result = before === undefined ? "created" : changes.length === 0 ? "unchanged" : "configured";
    report({ object: printedName(member), result, changes });
    if (!dryRun) await applied?.(member);
  }

  async #prune(kinds: readonly string[], kept: ReadonlySet<string>, options: ApplySetOptions): Promise<void> {
    for (const member of await this.#members(kinds)) {
      if (kept.has(memberKey(member))) continue;
      await this.#deleteMember(member, options);
      options.report({ object: printedName(member), result: "pruned", changes: [] });
    }
  }

  async #deleteMember(member: Member, { dryRun, signal }: Pick<ApplySetOptions, "dryRun" | "signal">): Promise<void> {
    const how = { dryRun, propagationPolicy: "Background" as const, ...(signal && { signal }) };
    await this.#client.delete(member.kind, nameFor(member), how).catch(ignoreMissing);
  }

  /** The members in the cluster. Kinds that are no longer served have none. */
  async #members(kinds: readonly string[]): Promise<Member[]> {
    const found: Member[] = [];
    for (const name of kinds) {
      const kind = await this.#kindOf(name);
      if (kind === undefined) continue;
      const labels = { [partOfLabel]: this.#id };
      for await (const object of this.#client.list(kind, { labels, allNamespaces: kind.scope === "Namespaced" })) {
        const { name: objectName = "", namespace: at = "" } = (
          object as { metadata: { name?: string; namespace?: string } }
        ).metadata;
        found.push({ kind, object: object as JsonObject, name: objectName, namespace: at });
      }
    }
    return found;
  }

  async #kindOf(name: string): Promise<DiscoveredKind | undefined> {
    try {
      return await this.#client.kind(name);
    } catch (error) {
      if (isNotFound(error)) return undefined;
      throw error;
    }
  }

  /** The kinds that the parent lists. Rejects when another program manages the set. */
  async #readKinds(): Promise<readonly string[]> {
    const parent = await this.#client.find(ConfigMap, this.#parent);
    if (parent === undefined) return [];
    const { labels = {}, annotations = {} } = parent.metadata;
    const { name, namespace } = this.#parent;
    const by = annotations[toolingAnnotation];
    if (labels[idLabel] !== this.#id || !by?.startsWith("kubewright/"))
      throw new OperatorError(
        "CONFIG_INVALID",
        `Cannot use ConfigMap "${namespace}/${name}" as an ApplySet: ${by === undefined ? "it is none" : `it belongs to "${by}"`}; rename or delete it`,
      );
    return (annotations[groupKindsAnnotation] ?? "").split(",").filter((kind) => kind !== "");
  }

  async #writeParent(kinds: readonly string[], members: readonly Member[]): Promise<void> {
    const { namespace } = this.#parent;
    const others = new Set(members.map((member) => member.namespace).filter((one) => one !== "" && one !== namespace));
    await this.#client.apply(
      ConfigMap,
      {
        metadata: {
          ...this.#parent,
          labels: { [idLabel]: this.#id },
          annotations: {
            [toolingAnnotation]: tooling,
            [groupKindsAnnotation]: [...kinds].sort().join(","),
            ...(others.size > 0 && { [namespacesAnnotation]: [...others].sort().join(",") }),
          },
        },
      },
      { fieldManager, force: true },
    );
  }
}

function groupKindOf({ kind }: Member): string {
  return groupKind(kind);
}

/** Webhooks first, while nothing serves them they reject requests; CRDs last, because that deletes their objects. */
function deletionOrder({ kind }: Member): number {
  if (kind.kind.endsWith("WebhookConfiguration")) return 0;
  return kind.kind === "CustomResourceDefinition" ? 2 : 1;
}

function isNamespace({ kind, metadata }: JsonObject, name: string): boolean {
  return kind === "Namespace" && isJsonObject(metadata) && metadata["name"] === name;
}

function withLabel(object: JsonObject, id: string): JsonObject {
  const metadata = isJsonObject(object["metadata"]) ? object["metadata"] : {};
  const labels = isJsonObject(metadata["labels"]) ? metadata["labels"] : {};
  return { ...object, metadata: { ...metadata, labels: { ...labels, [partOfLabel]: id } } };
}

function ignoreMissing(error: unknown): undefined {
  if (!isNotFound(error)) throw error;
  return undefined;
}
