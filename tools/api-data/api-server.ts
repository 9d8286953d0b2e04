import { request } from "node:https";

/** A running kube-apiserver and its token. Its certificate is not verified: a test started it on loopback. */
export interface Server {
  readonly url: string;
  readonly token: string;
}

/** One resource or subresource, as `/apis/<group>/<version>` lists it. */
export interface ListedResource {
  readonly name: string;
  readonly singularName: string;
  readonly namespaced: boolean;
  readonly kind: string;
  readonly group?: string;
  readonly version?: string;
  readonly verbs: readonly string[];
  readonly shortNames?: readonly string[];
  readonly categories?: readonly string[];
  readonly storageVersionHash?: string;
}

/** A component schema as served. */
export type RawSchema = Readonly<Record<string, unknown>>;

/** Reads one JSON response; rejects if its status is not 200. */
export function readJson(server: Server, path: string): Promise<unknown> {
  return new Promise((resolve, reject) => {
    const outgoing = request(
      new URL(path, server.url),
      { rejectUnauthorized: false, headers: { authorization: `Bearer ${server.token}`, accept: "application/json" } },
      (incoming) => {
        const chunks: Buffer[] = [];
        incoming.on("data", (chunk: Buffer) => chunks.push(chunk));
        incoming.on("error", reject);
        incoming.on("end", () => {
          const text = Buffer.concat(chunks).toString("utf8");
          if (incoming.statusCode === 200) resolve(JSON.parse(text));
          else reject(new Error(`Cannot read "${path}": status ${incoming.statusCode}, "${text.slice(0, 200)}"`));
        });
      },
    );
    outgoing.on("error", reject);
    outgoing.end();
  });
}

/** The path of a group version: `/api/v1` for the core group, `/apis/<group>/<version>` for others. */
function pathOf(groupVersion: string): string {
  return groupVersion.includes("/") ? `/apis/${groupVersion}` : `/api/${groupVersion}`;
}

/** The generally available group versions (`v1`, `apps/v1`), without alpha and beta. */
export async function readGroupVersions(server: Server): Promise<string[]> {
  const { paths } = (await readJson(server, "/openapi/v3")) as { paths: Record<string, unknown> };
  return Object.keys(paths).flatMap(
    (path) => /^(?:api\/(v\d+)|apis\/([^/]+\/v\d+))$/.exec(path)?.slice(1).filter(Boolean) ?? [],
  );
}

/** The resources and subresources of a group version (`v1`, `apps/v1`). */
export async function readResources(server: Server, groupVersion: string): Promise<readonly ListedResource[]> {
  const { resources } = (await readJson(server, pathOf(groupVersion))) as { resources: ListedResource[] };
  return resources;
}

/** Every schema component of a group version, descriptions included. */
export async function readOpenApi(server: Server, groupVersion: string): Promise<Readonly<Record<string, RawSchema>>> {
  const { components } = (await readJson(server, `/openapi/v3${pathOf(groupVersion)}`)) as {
    components: { schemas: Record<string, RawSchema> };
  };
  return components.schemas;
}

/** The version of the server, for instance `v1.36.4`. */
export async function readVersion(server: Server): Promise<string> {
  return ((await readJson(server, "/version")) as { gitVersion: string }).gitVersion;
}
