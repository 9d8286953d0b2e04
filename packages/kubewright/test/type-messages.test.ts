import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";

const root = join(import.meta.dirname, "..", "..", "..");

/** Each line that must not compile, with the cure that the compiler prints for it. */
const mistakes: readonly (readonly [line: string, message: string])[] = [
  ["await apply(Secret, { metadata: { name: 'a' } });", 'Rejected<"declare this kind in `owns` or `manages`">'],
  ["await prune(Secret);", 'Rejected<"declare this kind in `owns` or `manages`">'],
  ["await get(Service, 'a');", 'Rejected<"declare this kind in `owns`, `uses` or `watches`">'],
  ["await list(Service);", 'Rejected<"declare this kind in `owns`, `uses` (not as live) or `watches`">'],
  ["await remove(Secret, 'a');", 'Rejected<"declare this kind in `owns`, or add may(kind, \\"delete\\") to `uses`">'],
  ["await evict(Pod, 'a');", 'Rejected<"add may(kind, \\"evict\\") to `uses`">'],
  [
    "await apply(Namespace, { metadata: { name: 'a' } });",
    "'Rejected<\"a namespaced owner cannot own a cluster-scoped object; declare it in `manages`\">'",
  ],
  [
    "conditions.set('Ready', { status: true, reason: 'Fine' });",
    'Rejected<"declare `conditions` in the version of this kind">',
  ],
  ["status.phase = 'a';", 'Rejected<"declare `status` in the version of this kind">'],
  [
    "watch(Pod, { reads: [Secret], to: (_, cached) => cached.list(Service).map(({ metadata }) => metadata.name) });",
    'Rejected<"declare this kind in `reads` of the watch">',
  ],
  [
    "return requeueAfter('5 minutes');",
    `Argument of type '"5 minutes"' is not assignable to parameter of type '0 | Duration'`,
  ],
  [
    "await patch(ConfigMap, 'a', { merge: { dta: {} } });",
    "Object literal may only specify known properties, but 'dta' does not exist",
  ],
];

test("what a controller did not declare does not compile, and the compiler prints the cure", () => {
  mkdirSync(join(root, "node_modules", ".cache"), { recursive: true });
  const folder = mkdtempSync(join(root, "node_modules", ".cache", "type-messages-"));
  try {
    const head = `import { controller, defineResource, watch, z } from "kubewright";
import { ConfigMap, Namespace, Pod, Secret, Service } from "kubewright/k8s/core/v1";
const Site = defineResource({ group: "example.com", kind: "Site", versions: { v1: { spec: z.object({}) } } });
export const site = controller(Site, {
  owns: [ConfigMap, Namespace],
  uses: [Secret],
  reconcile: async ({ apply, patch, prune, get, list, delete: remove, evict, conditions, status, requeueAfter }) => {
`;
    writeFileSync(join(folder, "site.ts"), `${head}${mistakes.map(([line]) => `${line}\n`).join("")}  },\n});\n`);
    const compilerOptions = { noEmit: true, composite: false, incremental: false };
    const settings = { extends: join(root, "tsconfig.base.json"), compilerOptions, include: ["site.ts"] };
    writeFileSync(join(folder, "tsconfig.json"), JSON.stringify(settings));
    writeFileSync(join(folder, "package.json"), `{"type":"module"}`);
    const { stdout } = spawnSync(join(root, "node_modules", ".bin", "tsc"), ["-p", folder, "--pretty", "false"], {
      cwd: folder,
      encoding: "utf8",
    });
    const first = head.split("\n").length;
    const messages = mistakes.map((_, index) => [
      [...stdout.matchAll(/^site\.ts\((\d+),\d+\): error (.*)$/gm)]
        .filter(([, line]) => Number(line) === first + index)
        .map(([, , message]) => message)
        .join("\n"),
    ]);
    expect(messages).toEqual(mistakes.map(([, message]) => [expect.stringContaining(message)]));
  } finally {
    rmSync(folder, { recursive: true });
  }
});
