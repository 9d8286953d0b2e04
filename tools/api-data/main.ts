/**
 * Generates the data of Kubernetes' built-in kinds from a real kube-apiserver: that of the embedded server (`packages/cluster/data/api.gen.json`, the bootstrap
 * RBAC objects `bootstrap-policy.gen.json`, and `omit-empty-fields.gen.ts` and `protobuf.gen.json` from the Go types), and from them the types and handles of the framework
 * (`packages/kubewright/src/k8s`).
 *
 *   npx tsx --conditions=kubewright-source tools/api-data/main.ts
 *
 * Run it after a change of the Kubernetes version. The output is deterministic.
 */
import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { startControlPlane } from "@kubewright/testing/control-plane";
import { readBootstrapPolicy } from "./bootstrap-policy.js";
import { readCompactApi } from "./compact-api.js";
import { omitEmptyModule } from "./go-fields.js";
import { protobufFields } from "./protobuf-fields.js";
import { TypeWriter } from "./type-writer.js";

const packages = join(dirname(fileURLToPath(import.meta.url)), "..", "..", "packages");

await using plane = await startControlPlane();
const server = { url: plane.url, token: plane.admin.token };
const api = await readCompactApi(server);
write(join(packages, "cluster", "data", "api.gen.json"), `${JSON.stringify(api)}\n`);
const policy = await readBootstrapPolicy(server);
write(join(packages, "cluster", "data", "bootstrap-policy.gen.json"), `${JSON.stringify(policy)}\n`);
write(join(packages, "cluster", "src", "registry", "omit-empty-fields.gen.ts"), omitEmptyModule());
write(join(packages, "cluster", "data", "protobuf.gen.json"), protobufFields());

const types = join(packages, "kubewright", "src", "k8s");
rmSync(types, { recursive: true, force: true });
for (const [module, text] of new TypeWriter(api).modules()) write(join(types, `${module}.gen.ts`), text);

function write(file: string, text: string): void {
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, text);
  console.log(`${file.slice(packages.length + 1)}: ${Math.round(text.length / 1024)} KiB`);
}
