import { mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { runCommand } from "./run-command.js";

let folder: string;
beforeAll(async () => {
  // Inside the repository, so that the project's imports resolve.
  const scratch = join(import.meta.dirname, "..", ".kubewright");
  await mkdir(scratch, { recursive: true });
  folder = await mkdtemp(join(scratch, "explain-"));
  await writeFile(join(folder, "operator.ts"), source);
});
afterAll(() => rm(folder, { recursive: true }));

const source = `
import { controller, defineResource, operator, z } from "kubewright";
export const Issuer = defineResource({
  group: "issuance.example.org", kind: "Issuer", external: true,
  versions: { v1: { spec: z.object({ url: z.string().describe("Where it signs.") }) } },
});
const Website = defineResource({
  group: "web.example.com", kind: "Website", shortNames: ["ws"], hub: "v1",
  versions: {
    v1: {
      spec: z.object({
        replicas: z.int32().min(0).max(10).default(1).describe("How many Pods serve it."),
        tier: z.enum(["free", "paid"]).optional(),
        hosts: z.array(z.object({ name: z.string(), tls: z.boolean().optional().describe("a | b <c>") })).optional(),
        labels: z.record(z.string(), z.string()).optional(),
      }).describe("What is wanted."),
      rules: [{ rule: "self.spec.replicas > 0", message: "Nothing would serve it" }],
    },
    v1beta1: { spec: z.object({ size: z.int32() }) },
  },
  convert: { v1beta1: { toHub: () => ({ spec: { replicas: 1 } }), fromHub: () => ({ spec: { size: 1 } }), lossy: true } },
});
const websites = controller(Website, { uses: [Issuer], reconcile: () => {} });
export const web = operator({ name: "web", controllers: [websites] });
`;

async function run(...args: string[]) {
  let [out, err] = ["", ""];
  const [name = "", ...rest] = args;
  const code = await runCommand([name, ...rest], {
    out: { write: (text) => (out += text) },
    err: { write: (text) => (err += text) },
  });
  return { code, out, err: err.replaceAll(folder, "DIR") };
}
const explain = (path: string, ...more: string[]) => run("explain", path, join(folder, "operator.ts"), ...more);

test("explain describes kinds and fields of the operator and of imported CRDs, by any of their names", async () => {
  const kind = await explain("ws");
  expect(kind).toMatchObject({ code: 0, err: "" });
  expect(kind.out).toContain("GROUP:      web.example.com\nKIND:       Website\nVERSION:    v1\n");
  expect(kind.out).toContain("    - Nothing would serve it\n");
  expect(kind.out).toContain("  spec\t<object>\n    What is wanted.\n");
  expect((await explain("website.spec.replicas")).out).toContain(
    "FIELD: replicas <integer>\n\nDESCRIPTION:\n    How many Pods serve it.\n    default: 1\n    limit: 0 to 10\n",
  );
  expect((await explain("websites.spec.tier")).out).toContain('limit: one of "free", "paid"');
  expect((await explain("website.spec.hosts.name")).out).toContain("FIELD: name <string> -required-");
  expect((await explain("website", "--recursive")).out).toContain(
    "    hosts\t<[]object>\n      name\t<string> -required-\n",
  );
  expect((await explain("website.spec", "--api-version", "v1beta1")).out).toContain("  size\t<integer> -required-");
  expect((await explain("issuer.spec.url")).out).toContain("Where it signs.");
  expect(JSON.parse((await explain("website.spec.labels", "-o", "json")).out)).toMatchObject({
    path: "spec.labels",
    type: "map[string]string",
  });
});

test("explain names what there is where it finds nothing, and exits with 5", async () => {
  expect(await explain("deployment")).toEqual({
    code: 5,
    out: "",
    err: 'error: Cannot explain "deployment": "DIR/operator.ts" has no kind of that name; it has issuer, website. kubectl explains the kinds of a cluster\n',
  });
  expect((await explain("website.spec.hosts.nam")).err).toContain("it has no such field: spec.hosts has name, tls\n");
  expect((await explain("website", "--api-version", "v2")).err).toContain('it has no version "v2", but v1, v1beta1');
});

test("generate docs writes a page of all own resources, and --check compares it", async () => {
  const file = join(folder, "docs", "api.md");
  const args = ["generate", "docs", join(folder, "operator.ts"), "--out", file];
  expect(await run(...args, "--check")).toMatchObject({ code: 4 });
  expect(await run(...args)).toMatchObject({ code: 0, err: "" });
  expect(JSON.parse((await run(...args, "--check", "-o", "json")).out)).toEqual({ file, result: "up to date" });
  const page = await readFile(file, "utf8");
  expect(page).toContain("## Website v1\n");
  expect(page).toContain("| `spec.replicas` | integer | How many Pods serve it. Default: `1`. Limits: 0 to 10. |\n");
  expect(page).toContain("| `spec.hosts[].tls` | boolean | a \\| b &lt;c> |\n");
  expect(page).toContain("## Website v1beta1\n");
  expect(page).not.toContain("Issuer");
  await writeFile(file, "other\n");
  expect(await run(...args, "--check")).toMatchObject({ code: 4, out: expect.stringContaining("out of date: ") });
});
