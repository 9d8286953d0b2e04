/**
 * The same kubectl commands, in the same order, on a real control plane and on the embedded cluster: what they print is the same.
 * Neither has workload controllers, so that nothing happens by itself.
 */
import { type Cluster, startCluster } from "@kubewright/cluster";
import { type ControlPlane, kubeconfigText, startControlPlane } from "@kubewright/testing/control-plane";
import { afterAll, beforeAll, expect, test } from "vitest";
import { CommandLine, type Ran } from "./command-line.js";

const kubectl = process.env["KUBEWRIGHT_KUBECTL"] ?? "";
if (kubectl === "") throw new Error("Cannot test with kubectl: KUBEWRIGHT_KUBECTL must hold the path of its binary");

let cluster: Cluster;
let plane: ControlPlane;
let ours: CommandLine;
let real: CommandLine;

beforeAll(async () => {
  [cluster, plane] = await Promise.all([
    startCluster(),
    startControlPlane({ controllerManager: ["garbage-collector-controller", "namespace-controller"] }),
  ]);
  ours = await CommandLine.in((await cluster.listen()).kubeconfig);
  real = await CommandLine.in(kubeconfigText(plane, plane.admin));
  for (const line of [ours, real]) {
    await line.file("definition.yaml", definition);
    await line.file("light.yaml", light);
    await line.file("web.yaml", web);
    await line.file("web-green.yaml", web.replace("value: red", "value: green").replace("nginx:1.27", "nginx:1.28"));
    await line.file("settings.yaml", settings);
    await line.prints(kubectl, "create", "namespace", "walk");
    await line.prints(kubectl, "config", "set-context", "--current", "--namespace=walk");
  }
});
afterAll(async () => {
  await Promise.all([ours.close(), real.close()]);
  await Promise.all([cluster.close(), plane.stop()]);
});

const definition = `
apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: { name: lights.example.com }
spec:
  group: example.com
  names: { kind: Light, plural: lights, shortNames: [li], categories: [lamps] }
  scope: Namespaced
  versions:
    - name: v1
      served: true
      storage: true
      subresources: { status: {}, scale: { specReplicasPath: .spec.bulbs, statusReplicasPath: .status.bulbs } }
      additionalPrinterColumns:
        - { name: Color, type: string, jsonPath: .spec.color }
        - { name: Bulbs, type: integer, jsonPath: .spec.bulbs, priority: 1 }
      schema:
        openAPIV3Schema:
          type: object
          description: A light
          properties:
            spec:
              type: object
              required: [color]
              properties:
                color: { type: string, enum: [red, green], description: Of its bulbs }
                bulbs: { type: integer, default: 1, minimum: 0 }
            status:
              type: object
              properties:
                bulbs: { type: integer }
                conditions:
                  type: array
                  items:
                    type: object
                    properties: { type: { type: string }, status: { type: string }, reason: { type: string } }
`;
const light = `
apiVersion: example.com/v1
kind: Light
metadata: { name: hall, labels: { room: hall } }
spec: { color: red }
`;
const web = `
apiVersion: apps/v1
kind: Deployment
metadata: { name: web, labels: { app: web } }
spec:
  replicas: 2
  selector: { matchLabels: { app: web } }
  template:
    metadata: { labels: { app: web } }
    spec:
      containers:
        - { name: main, image: "nginx:1.27", env: [{ name: COLOR, value: red }], ports: [{ containerPort: 80 }] }
`;
const settings = `
apiVersion: v1
kind: ConfigMap
metadata: { name: settings, labels: { app: web } }
data: { color: red, "a.txt": "two\nlines\n" }
---
apiVersion: v1
kind: Secret
metadata: { name: keys, labels: { app: web } }
stringData: { token: abc }
`;

/** Without what differs from run to run. */
function plain(text: string): string {
  return text
    .replace(/[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g, "UID")
    .replace(/(resourceVersion"?: )"\d+"/g, '$1"RV"')
    .replace(/(Resource Version: +)\d+/g, "$1RV")
    .replace(/20\d\d-\d\d-\d\dT\d\d:\d\d:\d\dZ/g, "TIME")
    .replace(/[A-Z][a-z]{2}, \d\d [A-Z][a-z]{2} 20\d\d \d\d:\d\d:\d\d [+-]\d{4}/g, "TIME")
    .replace(/(LIVE|MERGED)-\d+/g, "$1-N")
    .replace(/^([+-]{3} \S+)\t.*$/gm, "$1")
    .replace(/kubectl-edit-\d+\.yaml/g, "kubectl-edit-N.yaml")
    .replace(/https:\/\/127\.0\.0\.1:\d+/g, "SERVER")
    .replace(/(?<=\s)\d+(?:ms|s|m\d*s?)(?=\s|$)/g, "AGE")
    .replace(/ +$/gm, "");
}

async function alike(args: readonly string[], more: Record<string, string> = {}): Promise<void> {
  const [a, b] = await Promise.all([real.run(kubectl, args, more), ours.run(kubectl, args, more)]);
  const told = ({ code, out, err }: Ran): string => plain(`$ kubectl ${args.join(" ")}\n${out}${err}[${code}]`);
  expect(told(b)).toBe(told(a));
}

/** Commands of one line each, words set apart by one space. */
async function allAlike(...commands: string[]): Promise<void> {
  for (const command of commands) await alike(command.split(" "));
}

/** Waits, on both, until a definition is served. */
async function define(): Promise<void> {
  await allAlike("apply -f definition.yaml", "wait --for=condition=Established crd/lights.example.com --timeout=20s");
  await Promise.all([ours, real].map((line) => line.prints(kubectl, "wait", "--for=create", "crd/lights.example.com")));
}

test("a definition and its objects: apply, get in every form, explain, label, annotate, patch, scale, wait, delete", async () => {
  await define();
  await allAlike(
    "apply -f light.yaml",
    "apply -f light.yaml",
    "get lights",
    "get li -o wide",
    "get lamps --show-labels",
    "get light hall -o yaml --show-managed-fields=false",
    "get light hall -o name",
    "get light hall -o jsonpath={.spec.color}{.spec.bulbs}",
    "get lights -o custom-columns=NAME:.metadata.name,COLOR:.spec.color",
    "get lights -o go-template={{range.items}}{{.metadata.name}}{{end}}",
    "get lights -l room=hall -o name",
    "get lights -l room!=hall",
    "get lights --field-selector metadata.name=hall",
    "get lights --field-selector metadata.name=other",
    "explain lights.spec --recursive",
    "explain lights.spec.color",
    "label light hall floor=1",
    "label light hall floor=2",
    "label light hall floor=2 --overwrite",
    "label light hall floor-",
    "annotate light hall note=x",
    'patch light hall --type=merge -p {"spec":{"bulbs":3}}',
    'patch light hall --type=json -p [{"op":"replace","path":"/spec/color","value":"green"}]',
    'patch light hall -p {"spec":{"bulbs":4}}',
    'patch light hall --type=merge -p {"spec":{"color":"blue"}}',
    "scale light hall --replicas=5",
    "get light hall -o jsonpath={.spec.bulbs}",
    'patch light hall --subresource=status --type=merge -p {"status":{"conditions":[{"type":"Ready","status":"True"}]}}',
    "wait --for=condition=Ready light/hall --timeout=5s",
    "wait --for=jsonpath={.spec.color}=green light/hall --timeout=5s",
    "wait --for=condition=Broken light/hall --timeout=1s",
    "apply -f light.yaml --dry-run=server",
    "diff -f light.yaml",
    "delete light hall --dry-run=server",
    "delete light hall --wait=true",
    "get light hall",
    "delete light hall",
    "wait --for=delete light/hall --timeout=1s",
    "create -f light.yaml",
    "create -f light.yaml",
    "replace -f light.yaml",
    "delete -f light.yaml --cascade=background",
  );
});

test("apply on the server's side: conflicts, force, and who manages what", async () => {
  await allAlike(
    "apply --server-side -f settings.yaml",
    "apply --server-side --field-manager=other -f settings.yaml",
    'patch configmap settings --type=merge --field-manager=third -p {"data":{"color":"green"}}',
    "apply --server-side -f settings.yaml",
    "apply --server-side --force-conflicts -f settings.yaml",
    "get configmap settings -o yaml --show-managed-fields=false",
    "get secret keys -o jsonpath={.data.token}",
    "describe configmap settings",
    "describe secret keys",
    "get cm,secret -l app=web -o name",
    "delete cm,secret -l app=web",
  );
});

test("a Deployment: apply, diff, describe, set, scale, rollout, replace, delete with cascades", async () => {
  await allAlike(
    "apply -f web.yaml",
    "get deploy web -o yaml --show-managed-fields=false",
    "get deploy -o wide",
    "diff -f web-green.yaml",
    "apply -f web-green.yaml --dry-run=server",
    "apply -f web-green.yaml",
    "describe deploy web",
    "scale deploy web --replicas=3",
    "scale deploy web --replicas=4 --current-replicas=1",
    "set image deploy/web main=nginx:2",
    "set env deploy/web EXTRA=1",
    "rollout status deploy/web --watch=false",
    "rollout pause deploy/web",
    "rollout pause deploy/web",
    "rollout resume deploy/web",
    "rollout history deploy/web",
    'patch deploy web -p {"spec":{"template":{"spec":{"containers":[{"name":"side","image":"busybox"}]}}}}',
    "get deploy web -o jsonpath={.spec.template.spec.containers[*].name}",
    "replace -f web.yaml",
    "get deploy web -o jsonpath={.spec.template.spec.containers[*].image}",
    "delete deploy web --cascade=orphan",
    "get deploy",
  );
});

test("edit opens what is there, and sends what was written", async () => {
  await allAlike("create configmap note --from-literal=color=red");
  await alike(["edit", "configmap", "note"], { EDITOR: "sed -i s/red/green/" });
  await alike(["edit", "configmap", "note"], { EDITOR: "true" });
  await allAlike("get configmap note -o jsonpath={.data.color}", "delete configmap note");
});

test("api-versions names the same groups, but for reviews of who one is and what one may do, which are not served yet", async () => {
  const [a, b] = await Promise.all([real.run(kubectl, ["api-versions"]), ours.run(kubectl, ["api-versions"])]);
  const lines = ({ out }: Ran): string[] => out.trim().split("\n");
  expect(lines(a).filter((line) => !lines(b).includes(line))).toEqual([
    "authentication.k8s.io/v1",
    "authorization.k8s.io/v1",
  ]);
  expect(lines(b).filter((line) => !lines(a).includes(line))).toEqual([]);
});

test("what is there is told, and what is not is refused in the same words", async () => {
  await allAlike(
    "get nothing",
    "get configmap missing",
    "get configmaps --field-selector data=x",
    "get configmaps -l =",
    "apply -f missing.yaml",
    "events",
    "get events",
    "create configmap Bad_Name",
    "api-resources --api-group=example.com",
    "api-resources --api-group=apps",
    "create deployment quick --image=nginx --replicas=2",
    "get deploy quick -o jsonpath={.spec.template.spec.containers[0].name}",
    "delete deploy --all",
    "create secret generic plain --from-literal=a=b",
    "get secret plain -o json --show-managed-fields=false",
    "delete secret plain",
  );
});

test("a definition goes with its objects, and a namespace with what is in it", async () => {
  await allAlike(
    "apply -f light.yaml",
    "delete crd lights.example.com --timeout=60s",
    "create namespace gone",
    "create configmap here -n gone",
    "delete namespace gone --timeout=60s",
    "get namespace gone",
  );
});

test("explain has no descriptions of Kubernetes' own fields, and names their types all the same", async () => {
  const types = (text: string): string[] => text.split("\n").filter((line) => /\t</.test(line));
  for (const path of ["pods.spec", "deployments", "services.spec.ports", "configmaps"]) {
    const [a, b] = await Promise.all([real, ours].map((line) => line.prints(kubectl, "explain", path)));
    expect(types(b ?? "")).toEqual(types(a ?? ""));
  }
});

test("who one is, and what one may do, is not served yet, and kubectl says so", async () => {
  const asked = await Promise.all(
    [
      ["auth", "whoami"],
      ["auth", "can-i", "create", "configmaps"],
    ].map((args) => ours.run(kubectl, args)),
  );
  expect(asked.map(({ code }) => code)).toEqual([1, 1]);
  for (const { err } of asked)
    expect(err).toMatch(/could not find the requested resource|selfsubjectreview|not enabled/i);
});
