/** kubectl's workload commands on the embedded cluster with simulated nodes. */
import { execFile, spawn } from "node:child_process";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { type Cluster, startCluster } from "@kubewright/cluster";
import { afterAll, beforeAll, expect, test } from "vitest";

const kubectl = process.env["KUBEWRIGHT_KUBECTL"] ?? "";
if (kubectl === "") throw new Error("Cannot test with kubectl: KUBEWRIGHT_KUBECTL must hold the path of its binary");

let cluster: Cluster;
let folder: string;
let environment: Record<string, string>;

beforeAll(async () => {
  cluster = await startCluster({ workloads: { nodes: 3 } });
  folder = await mkdtemp(join(tmpdir(), "kubewright-kubectl-"));
  await writeFile(join(folder, "kubeconfig"), (await cluster.listen()).kubeconfig);
  await writeFile(join(folder, "stages.yaml"), stages);
  environment = { PATH: process.env["PATH"] ?? "", HOME: folder, KUBECONFIG: join(folder, "kubeconfig") };
  await prints("apply -f stages.yaml");
});

afterAll(async () => {
  await cluster.close();
  await rm(folder, { recursive: true });
});

const stages = `
apiVersion: simulation.kubewright.dev/v1
kind: PodStage
metadata: { name: talks }
spec:
  selector: { matchLabels: { run: talks } }
  run: { for: 2s, exitCode: 1, times: 1 }
  logs:
    - { lines: [one, two, three] }
    - { lines: [tick], after: 1s, every: 1s }
---
apiVersion: simulation.kubewright.dev/v1
kind: PodStage
metadata: { name: unreachable-image }
spec: { selector: { matchLabels: { run: unpulled } }, pull: { fails: true } }
---
apiVersion: simulation.kubewright.dev/v1
kind: PodStage
metadata: { name: two-voices }
spec:
  selector: { matchLabels: { app: choir } }
  logs: [{ container: high, lines: [la] }, { container: low, lines: [do] }]
`;

interface Ran {
  readonly code: number;
  readonly out: string;
  readonly err: string;
}

/** Runs kubectl with arguments split at blanks, except within single quotes. */
function run(command: string): Promise<Ran> {
  const args = [...command.matchAll(/('[^']*'|[^\s'])+/g)].map(([token]) => token.replaceAll("'", ""));
  return new Promise((resolve) => {
    execFile(kubectl, args, { env: environment, cwd: folder, timeout: 30_000 }, (error, out, err) => {
      resolve({ code: error ? Number(error.code ?? 1) : 0, out, err });
    });
  });
}

/** The output lines of a successful command. */
async function prints(command: string): Promise<readonly string[]> {
  const { code, out, err } = await run(command);
  expect(`${command}: ${code} ${err}`).toBe(`${command}: 0 `);
  return linesOf(out);
}

function linesOf(text: string): readonly string[] {
  return text.split("\n").filter((line) => line !== "");
}

/** The output lines of a failed command. */
async function fails(command: string): Promise<readonly string[]> {
  const { code, out, err } = await run(command);
  expect(`${command}: ${code}`).toBe(`${command}: 1`);
  return linesOf(`${out}${err}`);
}

/** The rows of a table, with single blanks and without ages. */
async function rows(command: string): Promise<readonly string[]> {
  return (await prints(command)).map((line) =>
    line
      .replace(/\s+/g, " ")
      .replace(/ \d+s(?= |$)/g, " AGE")
      .trim(),
  );
}

test("a Deployment is rolled out, back, paused, resumed and restarted", async () => {
  expect(await prints("create deployment web --image=app:1 --replicas=3")).toEqual(["deployment.apps/web created"]);
  const done = 'deployment "web" successfully rolled out';
  expect((await prints("rollout status deployment/web")).at(-1)).toBe(done);
  expect(await prints("annotate deployment/web kubernetes.io/change-cause='first try'")).toEqual([
    "deployment.apps/web annotated",
  ]);
  expect(await prints("set image deployment/web app=app:2")).toEqual(["deployment.apps/web image updated"]);
  expect((await prints("rollout status deployment/web")).at(-1)).toBe(done);
  expect(await prints("rollout undo deployment/web")).toEqual(["deployment.apps/web rolled back"]);
  expect((await prints("rollout status deployment/web")).at(-1)).toBe(done);
  expect(await rows("rollout history deployment/web")).toEqual([
    "deployment.apps/web",
    "REVISION CHANGE-CAUSE",
    "2 first try",
    "3 first try",
  ]);
  expect(await rows("rollout history deployment/web --revision=2")).toContain("Image: app:2");
  expect(await prints("get deployment web -o jsonpath={.spec.template.spec.containers[0].image}")).toEqual(["app:1"]);

  expect(await prints("rollout pause deployment/web")).toEqual(["deployment.apps/web paused"]);
  await prints("set image deployment/web app=app:3");
  expect(await fails("rollout status deployment/web --timeout=1s")).toEqual([
    'Waiting for deployment "web" rollout to finish: 0 out of 3 new replicas have been updated...',
    "error: timed out waiting for the condition",
  ]);
  expect(await fails("rollout undo deployment/web")).toEqual([
    "error: you cannot rollback a paused deployment; resume it first with 'kubectl rollout resume' and try again",
  ]);
  expect(await prints("rollout resume deployment/web")).toEqual(["deployment.apps/web resumed"]);
  expect((await prints("rollout status deployment/web")).at(-1)).toBe(done);
  expect(await prints("rollout restart deployment/web")).toEqual(["deployment.apps/web restarted"]);
  expect((await prints("rollout status deployment/web")).at(-1)).toBe(done);
  expect(await rows("get deployment web")).toEqual(["NAME READY UP-TO-DATE AVAILABLE AGE", "web 3/3 3 3 AGE"]);

  expect(await prints("scale deployment/web --replicas=5")).toEqual(["deployment.apps/web scaled"]);
  expect(await prints("wait --for=jsonpath={.status.availableReplicas}=5 deployment/web --timeout=10s")).toEqual([
    "deployment.apps/web condition met",
  ]);
  expect(await prints("expose deployment web --port=80 --target-port=8080")).toEqual(["service/web exposed"]);
  expect(await prints("autoscale deployment web --min=2 --max=9 --cpu=50%")).toEqual([
    "horizontalpodautoscaler.autoscaling/web autoscaled",
  ]);
  const addresses = await prints("get endpointslices -l kubernetes.io/service-name=web -o jsonpath={..addresses}");
  expect(addresses[0]?.split(" ").length).toBe(5);
  expect(await prints("delete deployment,service,hpa web")).toEqual([
    'deployment.apps "web" deleted from default namespace',
    'service "web" deleted from default namespace',
    'horizontalpodautoscaler.autoscaling "web" deleted from default namespace',
  ]);
  expect(await prints("wait --for=delete pod -l app=web --timeout=10s")).toEqual([]);
});

test("a StatefulSet and a DaemonSet are rolled out and restarted", async () => {
  const template = (app: string) =>
    `  selector: { matchLabels: { app: ${app} } }\n  template: { metadata: { labels: { app: ${app} } }, spec: { containers: [{ name: app, image: "app:1" }] } }`;
  const sets = `apiVersion: apps/v1
kind: StatefulSet
metadata: { name: db }
spec:
  serviceName: db
  replicas: 2
${template("db")}
---
apiVersion: apps/v1
kind: DaemonSet
metadata: { name: agent }
spec:
${template("agent")}
`;
  await writeFile(join(folder, "sets.yaml"), sets);
  expect(await prints("create -f sets.yaml")).toEqual(["statefulset.apps/db created", "daemonset.apps/agent created"]);
  expect((await prints("rollout status statefulset/db")).at(-1)).toMatch(
    /^(partitioned roll out|statefulset rolling update) complete/,
  );
  expect((await prints("rollout status daemonset/agent")).at(-1)).toBe('daemon set "agent" successfully rolled out');
  expect(await prints("rollout restart statefulset/db daemonset/agent")).toEqual([
    "statefulset.apps/db restarted",
    "daemonset.apps/agent restarted",
  ]);
  expect((await prints("rollout status daemonset/agent")).at(-1)).toBe('daemon set "agent" successfully rolled out');
  await prints("rollout status statefulset/db");
  expect(await rows("rollout history daemonset/agent")).toEqual([
    "daemonset.apps/agent",
    "REVISION CHANGE-CAUSE",
    "1 <none>",
    "2 <none>",
  ]);
  expect(await prints("rollout undo daemonset/agent")).toEqual(["daemonset.apps/agent rolled back"]);
  expect((await prints("rollout status daemonset/agent")).at(-1)).toBe('daemon set "agent" successfully rolled out');
  expect(await rows("get daemonset agent")).toEqual([
    "NAME DESIRED CURRENT READY UP-TO-DATE AVAILABLE NODE SELECTOR AGE",
    "agent 3 3 3 3 3 <none> AGE",
  ]);
  await prints("delete -f sets.yaml");
});

test("nodes are cordoned, drained within PodDisruptionBudgets, tainted and uncordoned", async () => {
  await prints("create deployment api --image=app:1 --replicas=3");
  await prints("rollout status deployment/api");
  expect(await prints("create poddisruptionbudget api --selector=app=api --min-available=3")).toEqual([
    "poddisruptionbudget.policy/api created",
  ]);
  await prints("wait --for=jsonpath={.status.currentHealthy}=3 pdb/api --timeout=10s");
  expect(await prints("cordon node-1")).toEqual(["node/node-1 cordoned"]);
  expect((await rows("get node node-1"))[1]).toBe("node-1 Ready,SchedulingDisabled <none> AGE v1.36.4");
  const [pod = ""] = await prints(
    "get pods -l app=api --field-selector spec.nodeName=node-1 -o jsonpath={.items[0].metadata.name}",
  );
  const evictionError = `error when evicting pods/"${pod}" -n "default"`;
  expect(await fails("drain node-1 --timeout=1s")).toEqual([
    "node/node-1 already cordoned",
    `evicting pod default/${pod}`,
    `evicting pod default/${pod}`,
    `${evictionError} (will retry after 5s): Cannot evict pod as it would violate the pod's disruption budget.`,
    `There are pending pods in node "node-1" when an error occurred: ${evictionError}: global timeout reached: 1s`,
    `pod/${pod}`,
    `error: unable to drain node "node-1" due to error: ${evictionError}: global timeout reached: 1s, continuing command...`,
    "There are pending nodes to be drained:",
    " node-1",
    `${evictionError}: global timeout reached: 1s`,
  ]);
  await prints(`patch pdb api --type=merge -p '{"spec":{"minAvailable":2}}'`);
  await prints("wait --for=jsonpath={.status.disruptionsAllowed}=1 pdb/api --timeout=10s");
  expect(await prints("drain node-1 --timeout=20s")).toEqual([
    "node/node-1 already cordoned",
    `evicting pod default/${pod}`,
    `pod/${pod} evicted`,
    "node/node-1 drained",
  ]);
  await prints("rollout status deployment/api");
  const podsOnNode1 = "get pods -l app=api --field-selector spec.nodeName=node-1 -o name";
  expect(await prints(podsOnNode1)).toEqual([]);
  expect(await prints("uncordon node-1")).toEqual(["node/node-1 uncordoned"]);
  expect(await prints("taint node node-2 node-3 gone=now:NoExecute")).toEqual([
    "node/node-2 tainted",
    "node/node-3 tainted",
  ]);
  expect(await fails("taint node node-2 gone=now:NoExecute")).toEqual([
    "error: node node-2 already has gone taint(s) with same effect(s) and --overwrite is false",
  ]);
  await prints("rollout status deployment/api");
  expect((await prints(podsOnNode1)).length).toBe(3);
  expect(await prints("taint node node-2 node-3 gone-")).toEqual(["node/node-2 untainted", "node/node-3 untainted"]);
  await prints("delete deployment,pdb api");
});

test("kubectl logs supports --tail, --previous, -c and --follow", async () => {
  expect(await prints("run talks --image=app:1")).toEqual(["pod/talks created"]);
  expect(await prints("wait --for=condition=Ready pod/talks --timeout=10s")).toEqual(["pod/talks condition met"]);
  expect((await prints("logs talks")).slice(0, 3)).toEqual(["one", "two", "three"]);
  expect(await fails("logs talks --previous")).toEqual([
    'Error from server (BadRequest): previous terminated container "talks" in pod "talks" not found',
  ]);
  expect(await prints("logs talks --follow")).toEqual(["one", "two", "three", "tick", "tick"]);
  expect(await prints("logs talks --previous")).toEqual(["one", "two", "three", "tick", "tick"]);
  expect(await prints("logs talks --previous --tail=1")).toEqual(["tick"]);
  expect(await prints("logs talks --previous --limit-bytes=5")).toEqual(["one", "t"]);
  for (const line of await prints("logs talks --previous --timestamps"))
    expect(line).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{9}Z (one|two|three|tick)$/);

  await prints("create deployment choir --image=high:1 --image=low:1");
  await prints("rollout status deployment/choir");
  expect(await prints("logs deployment/choir -c low")).toEqual(["do"]);
  const [name = ""] = await prints("get pod -l app=choir -o jsonpath={.items[0].metadata.name}");
  expect([...(await prints("logs -l app=choir --all-containers --prefix"))].sort()).toEqual([
    `[pod/${name}/high] la`,
    `[pod/${name}/low] do`,
  ]);

  await prints("run unpulled --image=none:1");
  expect(
    await prints(
      "wait --for=jsonpath={.status.containerStatuses[0].state.waiting.reason}=ImagePullBackOff pod/unpulled --timeout=10s",
    ),
  ).toEqual(["pod/unpulled condition met"]);
  expect(await fails("logs unpulled")).toEqual([
    'Error from server (BadRequest): container "unpulled" in pod "unpulled" is waiting to start: trying and failing to pull image',
  ]);
  const why =
    "Pods are simulated and run no containers; declare their status and logs with a PodStage, or use a cluster with real nodes";
  expect(await fails("exec talks -- ls")).toEqual([
    `error: unable to upgrade connection: Cannot serve "pods/exec": ${why}`,
  ]);
  expect(await fails("port-forward pod/talks :80")).toEqual([
    `error: error upgrading connection: unable to upgrade connection: Cannot serve "pods/portforward": ${why}`,
  ]);
  expect(await fails("cp talks:/etc/hosts hosts")).toEqual([
    `error: unable to upgrade connection: Cannot serve "pods/exec": ${why}`,
  ]);
  expect((await fails("attach talks")).at(-1)).toBe(
    `error: unable to upgrade connection: Cannot serve "pods/attach": ${why}`,
  );
  expect(await prints("delete pod talks unpulled --now")).toEqual([
    'pod "talks" deleted from default namespace',
    'pod "unpulled" deleted from default namespace',
  ]);
  await prints("delete deployment choir");
});

test("kubectl creates a Job from a CronJob, reports an exceeded quota, approves a CSR, and watches Pods", async () => {
  await prints("create namespace team");
  const watching = spawn(kubectl, ["get", "pods", "-n", "team", "--watch", "--no-headers"], { env: environment });
  const seen: string[] = [];
  const ended = new Promise((resolve) => watching.on("close", resolve));
  createInterface({ input: watching.stdout }).on("line", (line) => seen.push(line.replace(/\s+/g, " ")));

  expect(await prints("create cronjob tick -n team --image=app:1 --schedule='0 0 1 1 *' -- true")).toEqual([
    "cronjob.batch/tick created",
  ]);
  expect(await prints("create job now -n team --from=cronjob/tick")).toEqual(["job.batch/now created"]);
  expect(await prints("wait -n team --for=condition=Complete job/now --timeout=10s")).toEqual([
    "job.batch/now condition met",
  ]);
  expect(await rows("get jobs -n team")).toEqual(["NAME STATUS COMPLETIONS DURATION AGE", "now Complete 1/1 AGE AGE"]);
  expect(seen.some((line) => /^now-\w+ 0\/1 Pending 0 \d+s$/.test(line))).toBe(true);
  expect(seen.some((line) => /^now-\w+ 0\/1 Completed 0 \d+s$/.test(line))).toBe(true);
  watching.kill();
  await ended;

  expect(await prints("create quota all -n team --hard=pods=1,configmaps=5")).toEqual(["resourcequota/all created"]);
  await prints("wait -n team --for=jsonpath={.status.used.pods}=0 quota/all --timeout=10s");
  await prints("run first -n team --image=app:1");
  expect(await fails("run second -n team --image=app:1")).toEqual([
    'Error from server (Forbidden): pods "second" is forbidden: exceeded quota: all, requested: pods=1, used: pods=1, limited: pods=1',
  ]);
  expect(await rows("get quota -n team")).toEqual(["NAME REQUEST LIMIT AGE", "all configmaps: 1/5, pods: 1/1 AGE"]);
  expect(await rows("describe quota all -n team")).toEqual([
    "Name: all",
    "Namespace: team",
    "Resource Used Hard",
    "-------- ---- ----",
    "configmaps 1 5",
    "pods 1 1",
  ]);

  await writeFile(join(folder, "request.yaml"), signingRequest);
  expect(await prints("apply -f request.yaml")).toEqual([
    "certificatesigningrequest.certificates.k8s.io/someone created",
  ]);
  expect(await prints("certificate approve someone")).toEqual([
    "certificatesigningrequest.certificates.k8s.io/someone approved",
  ]);
  await prints("wait --for=jsonpath={.status.certificate} csr/someone --timeout=10s");
  expect((await rows("get csr someone"))[1]).toMatch(
    /^someone AGE kubernetes\.io\/kube-apiserver-client .*Approved,Issued$/,
  );
  expect(await prints("delete namespace team")).toEqual(['namespace "team" deleted']);
});

const signingRequest = `
apiVersion: certificates.k8s.io/v1
kind: CertificateSigningRequest
metadata: { name: someone }
spec:
  signerName: kubernetes.io/kube-apiserver-client
  usages: [client auth]
  request: LS0tLS1CRUdJTiBDRVJUSUZJQ0FURSBSRVFVRVNULS0tLS0KTUlITk1IUUNBUUF3RWpFUU1BNEdBMVVFQXd3SGMyOXRaVzl1WlRCWk1CTUdCeXFHU000OUFnRUdDQ3FHU000OQpBd0VIQTBJQUJLWHlqYW5YemJkOXY0ZE5OVWdBL0IzNjFaR1o2V0xaaVJZd3ExWUtyR2x6eGlidHZYd0NqblM5CkRicXd1aGxWNTFyV2F5RU5pNk9uREt0LzdYY3g1bU9nQURBS0JnZ3Foa2pPUFFRREFnTkpBREJHQWlFQTA3em0KNGRXZUQxTmM2NTFaQ1BiSDVOZExJcFhyVVByanMzV2lZVHRlVjU4Q0lRQ29IM3U1T2hFZW4rWkkzUFNFT2ZndQo0azllQ2NtVVFCY2RsbDVFWUM0OWdnPT0KLS0tLS1FTkQgQ0VSVElGSUNBVEUgUkVRVUVTVC0tLS0tCg==
`;
