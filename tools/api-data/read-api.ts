import { writeFile } from "node:fs/promises";
import { parseArgs } from "node:util";
import { readCompactApi, servedKinds } from "./compact-api.js";
import { readOpenApi, type Server } from "./openapi-reader.js";

/**
 * Writes what the embedded server knows of built-in kinds, read off a running kube-apiserver.
 *
 *   npx tsx --conditions=kubewright-source tools/api-data/read-api.ts --server https://127.0.0.1:6443 --token T
 *
 * With `--components FILE` it also writes the whole components, descriptions included, of the same group versions.
 */
async function main(): Promise<void> {
  const { values } = parseArgs({
    options: { server: { type: "string" }, token: { type: "string" }, components: { type: "string" } },
  });
  if (values.server === undefined || values.token === undefined)
    throw new Error('Cannot read the API: "--server URL" and "--token TOKEN" are required');
  const server: Server = { url: values.server, token: values.token };
  const target = new URL("../../packages/cluster/src/registry/builtin-api.gen.json", import.meta.url);
  await writeFile(target, `${JSON.stringify(await readCompactApi(server))}\n`);
  if (values.components !== undefined) {
    const all: Record<string, unknown> = {};
    for (const groupVersion of Object.keys(servedKinds)) all[groupVersion] = await readOpenApi(server, groupVersion);
    await writeFile(values.components, `${JSON.stringify(all)}\n`);
  }
}

await main();
