import { OperatorError } from "@kubewright/core/errors";
import { isJsonObject, type JsonObject } from "@kubewright/core/json";
import { type Client, crdOf, isResource, type Operator } from "kubewright";
import { CustomResourceDefinition } from "kubewright/k8s/apiextensions/v1";
import { type Manifest, readManifests } from "./read-manifests.js";

/** Files and folders with objects to apply before the operators start. */
export interface ManifestPaths {
  /** Only their CustomResourceDefinitions are applied. */
  readonly crds?: readonly string[];
  /** All their objects are applied. */
  readonly manifests?: readonly string[];
}

/** How long the server may take to serve a CustomResourceDefinition, in real time. */
const establishMs = 30_000;

/**
 * Applies the objects of files: CustomResourceDefinitions first, then Namespaces, then all others in the order of files and documents. Skips the
 * CustomResourceDefinitions of the operators, which are installed already. Rejects with the file and the document that the server rejects.
 */
export async function applyManifests(
  client: Client,
  operators: readonly Operator[],
  { crds = [], manifests = [] }: ManifestPaths,
): Promise<void> {
  const kinds = operators.flatMap(({ controllers }) => controllers.map(({ kind }) => kind));
  const installed = new Set(kinds.filter(isResource).map((kind) => crdOf(kind).metadata.name));
  const all = [...(await readManifests(crds)).filter(isDefinition), ...(await readManifests(manifests))];
  for (const manifest of all.filter(isDefinition)) {
    if (installed.has(nameOf(manifest.object))) continue;
    await rejecting(manifest, () => applyDefinition(client, manifest.object));
  }
  const isNamespace = ({ object }: Manifest): boolean => object["kind"] === "Namespace";
  const others = all.filter((manifest) => !isDefinition(manifest));
  for (const manifest of [...others.filter(isNamespace), ...others.filter((one) => !isNamespace(one))])
    await rejecting(manifest, () => applyObject(client, manifest.object));
}

async function applyObject(client: Client, object: JsonObject): Promise<void> {
  const kind = await client.kind(`${String(object["apiVersion"])}/${String(object["kind"])}`);
  await client.apply(kind, object as never, { fieldManager: "test", force: true });
}

async function applyDefinition(client: Client, object: JsonObject): Promise<void> {
  await client.apply(CustomResourceDefinition, object as never, { fieldManager: "test", force: true });
  const signal = AbortSignal.timeout(establishMs);
  for await (const event of await client.watch(CustomResourceDefinition, {
    fields: { "metadata.name": nameOf(object) },
    signal,
  })) {
    if (event.type !== "ADDED" && event.type !== "MODIFIED") continue;
    const conditions = event.object.status?.conditions ?? [];
    const rejected = conditions.find(({ type, status }) => type === "NamesAccepted" && status === "False");
    if (rejected) throw new TypeError(rejected.message ?? "its names are not accepted");
    if (conditions.some(({ type, status }) => type === "Established" && status === "True")) return;
  }
}

async function rejecting({ object, source }: Manifest, apply: () => Promise<void>): Promise<void> {
  try {
    await apply();
  } catch (cause) {
    const what = `${String(object["kind"])} "${nameOf(object)}" of manifest ${source}`;
    const why = cause instanceof Error ? cause.message : String(cause);
    throw new OperatorError("CONFIG_INVALID", `Cannot apply ${what}: ${why}`, { cause });
  }
}

function isDefinition({ object }: Manifest): boolean {
  return object["kind"] === "CustomResourceDefinition";
}

function nameOf({ metadata }: JsonObject): string {
  return isJsonObject(metadata) ? String(metadata["name"] ?? "") : "";
}
