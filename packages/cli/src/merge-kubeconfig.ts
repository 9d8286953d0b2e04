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

/** The name under which a cluster stands in a kubeconfig that is not its own. */
export function contextName(cluster: string): string {
  return `kubewright-${cluster}`;
}

/** What to do with a kubeconfig of the user's. */
export interface MergeOptions {
  readonly file: string;
  /** The name of the cluster. */
  readonly name: string;
  /** Whether its context becomes the current one. */
  readonly setContext: boolean;
}

/**
 * Adds a cluster, its user and its context to a kubeconfig, in place of an earlier one of that name. Everything else stays as it is, to the
 * comments; the current context too, unless told.
 *
 * Rejects with CONFIG_INVALID, having changed nothing, when the file is no kubeconfig or another program is writing it.
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

/** Takes a cluster out of a kubeconfig again; a current context that was its own is emptied. Does nothing when it is not there. */
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
  if (!isSeq(entries)) throw refusal(file, `its ${list} are no list`);
  const node = document.createNode(entry);
  const at = entries.items.findIndex((one) => isMap(one) && one.get("name") === entry.name);
  // A list written as [] would take the new entry on the same line.
  entries.flow = false;
  if (at < 0) entries.items.push(node);
  else entries.items[at] = node;
  document.set(list, entries);
}

async function edit(file: string, change: (document: Document) => boolean): Promise<void> {
  // A link is followed: what it points to is rewritten, not the link.
  const target = await realpath(file).catch(() => file);
  await mkdir(dirname(target), { recursive: true });
  // The lock of kubectl and client-go.
  const lock = `${target}.lock`;
  const held = await open(lock, "wx").catch((error: unknown) => {
    const why =
      error instanceof Error && "code" in error && error.code === "EEXIST" ? `"${lock}" is there` : String(error);
    throw refusal(file, `another program seems to be writing it: ${why}`);
  });
  try {
    const text = await readFile(target, "utf8").catch((error: NodeJS.ErrnoException) => {
      if (error.code === "ENOENT") return "";
      throw refusal(file, error.message);
    });
    const document = parseDocument(text.trim() === "" ? "apiVersion: v1\nkind: Config\n" : text);
    if (document.errors.length > 0) throw refusal(file, `it is no YAML: ${document.errors[0]?.message ?? ""}`);
    const kind = isMap(document.contents) ? document.get("kind") : undefined;
    if (kind !== "Config") throw refusal(file, "it is no kubeconfig");
    if (!change(document)) return;
    const mode = (await stat(target).catch(() => undefined))?.mode ?? 0o600;
    // In one step: whoever reads it sees the old file or the new one.
    const draft = `${target}.kubewright-${process.pid}`;
    await writeFile(draft, document.toString({ lineWidth: 0 }), { mode: mode & 0o777 });
    await rename(draft, target);
  } finally {
    await held.close();
    await rm(lock, { force: true });
  }
}

function refusal(file: string, why: string): OperatorError {
  return new OperatorError("CONFIG_INVALID", `Cannot change kubeconfig "${file}": ${why}`);
}
