/**
 * Writes `packages/kubewright/src/k8s`: types and handles of built-in kinds, from what a real kube-apiserver says of itself.
 *
 * Run it after a change of the Kubernetes version: `npx tsx --conditions=kubewright-source tools/api-types/main.ts`.
 */
import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { request } from "node:https";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { startControlPlane } from "@kubewright/testing/control-plane";
import { type OpenApiDocument, servedKinds, subresourceBodies } from "./open-api.js";
import { TypeWriter } from "./type-writer.js";

const target = join(dirname(fileURLToPath(import.meta.url)), "..", "..", "packages", "kubewright", "src", "k8s");

await using plane = await startControlPlane();
const { gitVersion } = (await ask("/version")) as { gitVersion: string };
const writer = new TypeWriter();
const { paths } = (await ask("/openapi/v3")) as { paths: Record<string, unknown> };
// Generally available versions only: what has alpha or beta in its name may change or go.
for (const groupVersion of Object.keys(paths).filter((path) => /^(api|apis\/[^/]+)\/v\d+$/.test(path))) {
  const document = (await ask(`/openapi/v3/${groupVersion}`)) as OpenApiDocument;
  writer.add(document, servedKinds(document, `/${groupVersion}`), subresourceBodies(document));
}
rmSync(target, { recursive: true, force: true });
for (const [module, text] of writer.modules(
  `// Written by tools/api-types from Kubernetes ${gitVersion}. Do not edit.`,
)) {
  const file = join(target, `${module}.gen.ts`);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, text);
  console.log(`${module}: ${text.split("\n").length} lines`);
}

function ask(path: string): Promise<unknown> {
  return new Promise((resolve, reject) => {
    const url = new URL(path, plane.url);
    const headers = { authorization: `Bearer ${plane.admin.token}`, accept: "application/json" };
    request(url, { ca: plane.caCertificate, headers }, (response) => {
      const chunks: Buffer[] = [];
      response.on("data", (chunk: Buffer) => chunks.push(chunk));
      response.once("error", reject);
      response.once("end", () => {
        if (response.statusCode === 200) resolve(JSON.parse(Buffer.concat(chunks).toString()));
        else reject(new Error(`Cannot read "${path}" from the API server: it answered ${response.statusCode}`));
      });
    })
      .once("error", reject)
      .end();
  });
}
