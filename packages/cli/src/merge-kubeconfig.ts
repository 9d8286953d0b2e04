import { mkdir, open, readFile, realpath, rename, rm, stat, writeFile } from "node:fs/promises";
import { homedir } from "node:os";
import { delimiter, dirname, join } from "node:path";
import { OperatorError } from "@kubewright/core/errors";
import { type Document, isMap, isSeq, parse, parseDocument, YAMLSeq } from "yaml";

/** The kubeconfig that kubectl would write to: the first of `KUBECONFIG`, else `~/.kube/config`. */
export function userKubeconfig(environment: NodeJS.ProcessEnv = process.env): string {
  const first = (environment["KUBECONFIG"] ?? "").split(delimiter).find((file) => file !== "");
  return first ?? join(homedir(), ".kube", "config");
}

/** The name of a cluster's context, cluster and user in the user's kubeconfig. */
export function contextName(cluster: string): string {
  return `kubewright-${cluster}`;
}

/** How a cluster is merged into the user's kubeconfig. */
export interface MergeOptions {
  readonly file: string;
  /** Name of the cluster. */
  readonly name: string;
  /** Whether its context becomes the current context. */
  readonly setContext: boolean;
}

/**
 * Adds a cluster, its user and its context to a kubeconfig, or replaces those of the same name. Everything else stays as it is, comments and
 * line ends included; so does the current context, unless `setContext`.
 *
 * Rejects with CONFIG_INVALID, without a change, when the file is not a kubeconfig or another process is writing it.
 */
export async function mergeKubeconfig(own: string, { file, name, setContext }: MergeOptions): Promise<void> {
  const context = contextName(name);
  const { clusters, users } = parse(own) as {
    readonly clusters: readonly { readonly cluster: unknown }[];
    readonly users: readonly { readonly user: unknown }[];
  };
  await edit(file, (document) => {
    put(document, file, "clusters", { name: context, cluster: clusters[0]?.cluster });
    put(document, file, "users", { name: context, user: users[0]?.user });
    put(document, file, "contexts", { name: context, context: { cluster: context, user: context } });
    if (setContext) document.set("current-context", context);
    return true;
  });
}

/** Removes a cluster from a kubeconfig, and unsets the current context if it was the cluster's. No-op when the cluster is absent. */
export async function unmergeKubeconfig(file: string, name: string): Promise<void> {
  const context = contextName(name);
  await edit(file, (document) => {
    let changed = false;
    for (const list of ["clusters", "users", "contexts"]) {
      const entries = document.get(list);
      if (!isSeq(entries)) continue;
      const kept = entries.items.filter((entry) => !(isMap(entry) && entry.get("name") === context));
      changed ||= kept.length < entries.items.length;
      entries.items = kept;
    }
    if (document.get("current-context") === context) document.set("current-context", "");
    return changed;
  });
}

interface NamedEntry {
  readonly name: string;
  readonly [content: string]: unknown;
}

/** Adds an entry to a list of the kubeconfig, or replaces the one with the same name. */
function put(document: Document, file: string, list: string, entry: NamedEntry): void {
  const entries = document.get(list) ?? new YAMLSeq();
  if (!isSeq(entries)) throw mergeError(file, `its ${list} are not a list`);
  const node = document.createNode(entry);
  const at = entries.items.findIndex((one) => isMap(one) && one.get("name") === entry.name);
  // A list written as [] would get the new entry in flow style.
  entries.flow = false;
  if (at < 0) entries.items.push(node);
  else entries.items[at] = node;
  document.set(list, entries);
}

async function edit(file: string, change: (document: Document) => boolean): Promise<void> {
  // Rewrites the target of a symbolic link, not the link.
  const target = await realpath(file).catch(() => file);
  await mkdir(dirname(target), { recursive: true });
  // The lock file of kubectl and client-go.
  const lock = `${target}.lock`;
  const held = await open(lock, "wx").catch((error: unknown) => {
    const why =
      error instanceof Error && "code" in error && error.code === "EEXIST" ? `"${lock}" exists` : String(error);
    throw mergeError(file, `another process seems to be writing it: ${why}`);
  });
  try {
    const text = await readFile(target, "utf8").catch((error: NodeJS.ErrnoException) => {
      if (error.code === "ENOENT") return "";
      throw mergeError(file, error.message);
    });
    const document = parseDocument(text.trim() === "" ? "apiVersion: v1\nkind: Config\n" : text);
    if (document.errors.length > 0) throw mergeError(file, `it is not YAML: ${document.errors[0]?.message ?? ""}`);
    const kind = isMap(document.contents) ? document.get("kind") : undefined;
    if (kind !== "Config") throw mergeError(file, "it is not a kubeconfig");
    if (!change(document)) return;
    const mode = (await stat(target).catch(() => undefined))?.mode ?? 0o600;
    const merged = document.toString({ lineWidth: 0 });
    // Atomic: readers see the old file or the new one.
    const draft = `${target}.kubewright-${process.pid}`;
    const lineEnd = text.includes("\r\n") ? "\r\n" : "\n";
    await writeFile(draft, merged.replace(/\r?\n/g, lineEnd), { mode: mode & 0o777 });
    await rename(draft, target);
  } finally {
    await held.close();
    await rm(lock, { force: true });
  }
}

function mergeError(file: string, why: string): OperatorError {
  return new OperatorError("CONFIG_INVALID", `Cannot change kubeconfig "${file}": ${why}`);
}
