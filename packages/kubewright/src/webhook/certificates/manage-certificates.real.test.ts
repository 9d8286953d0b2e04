import { type ChildProcess, spawn } from "node:child_process";
import { createRequire } from "node:module";
import { type AddressInfo, connect, createServer, type Server, type Socket } from "node:net";
import { createInterface } from "node:readline";
import { pathToFileURL } from "node:url";
import { systemClock } from "@kubewright/core/clock";
import { type ControlPlane, startControlPlane } from "@kubewright/testing/control-plane";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type Client, createClient } from "../../client/index.js";
import { ValidatingWebhookConfiguration } from "../../k8s/admissionregistration/v1.gen.js";
import { ConfigMap, Secret } from "../../k8s/core/v1.gen.js";
import { ClusterRole, ClusterRoleBinding, Role, RoleBinding } from "../../k8s/rbac/v1.gen.js";
import { HttpsTransport } from "../../transport/index.js";
import { waitFor } from "../../watch/index.js";
import { webhookNames } from "../webhook-configurations.js";
import { certificateRules } from "./index.js";
import { issueCertificate } from "./issue-certificate.js";
import { encodeState } from "./secret-data.js";

/** Renewal 5 s after each start, so that several rotations fit into a test. */
const times = { lifetime: "9s", renewBefore: "4s", clockSkew: "1s", propagation: "2s" };
const names = webhookNames("hooks");

/**
 * One replica: an operator whose webhook allows ConfigMaps unless they are named "denied", with the managed certificate. Prints JSON lines: what it
 * logs, and the certificates that it serves.
 */
const replicaSource = `
  import { subscribe } from "node:diagnostics_channel";
  import { Server } from "node:tls";
  import { operator, webhooks } from "kubewright";
  import { ConfigMap } from "kubewright/k8s/core/v1";
  const print = (line) => console.log(JSON.stringify(line));
  const log = (fields, message) => print({ message, port: fields.port, err: fields.err && String(fields.err) });
  const logger = { debug() {}, info: log, warn: log, error: log, child: () => logger };
  const { setSecureContext } = Server.prototype;
  Server.prototype.setSecureContext = function (options) {
    if (options.cert !== undefined) print({ message: "serving", certificate: options.cert });
    return setSecureContext.call(this, options);
  };
  // So that API servers open connections, and verify certificates, all the time.
  subscribe("http.server.request.start", ({ server }) => {
    server.maxRequestsPerSocket = 5;
  });
  const guarding = operator({
    name: "hooks",
    webhooks: [
      webhooks(ConfigMap, {
        validate: ({ name, deny }) => {
          if (name === "denied") deny("it is denied");
        },
        operations: ["create"],
      }),
    ],
  });
  await guarding.run({
    kubeconfig: process.env.KUBECONFIG_FILE,
    webhookAddress: "127.0.0.1:0",
    webhookCertificates: JSON.parse(process.env.CERTIFICATES),
    logger,
  });
`;

interface Line {
  readonly message: string;
  readonly port?: number;
  readonly certificate?: string;
}

class Replica {
  readonly process: ChildProcess;
  readonly lines: Line[] = [];
  readonly #waiting = new Set<() => void>();

  constructor(kubeconfig: string) {
    const tsx = pathToFileURL(createRequire(import.meta.url).resolve("tsx")).href;
    const args = ["--conditions=kubewright-source", `--import=${tsx}`, "--input-type=module", "--eval", replicaSource];
    this.process = spawn(process.execPath, args, {
      cwd: import.meta.dirname,
      env: {
        ...process.env,
        KUBECONFIG_FILE: kubeconfig,
        CERTIFICATES: JSON.stringify({ ...times, namespace: "default", hosts: ["127.0.0.1"] }),
      },
      stdio: ["ignore", "pipe", "inherit"],
    });
    const { stdout } = this.process;
    if (stdout === null) throw new TypeError("Cannot read the output of the replica");
    createInterface({ input: stdout }).on("line", (line) => {
      this.lines.push(JSON.parse(line) as Line);
      for (const look of this.#waiting) look();
    });
    this.process.once("exit", () => {
      for (const look of this.#waiting) look();
    });
  }

  /** The first line after `from` lines that `accepts`. */
  printed(accepts: (line: Line) => boolean, from = 0): Promise<Line> {
    return new Promise((resolve, reject) => {
      const look = (): void => {
        const found = this.lines.slice(from).find(accepts);
        if (found === undefined && this.process.exitCode === null && this.process.signalCode === null) return;
        this.#waiting.delete(look);
        if (found !== undefined) resolve(found);
        else reject(new Error(`The replica exited: ${JSON.stringify(this.lines)}`));
      };
      this.#waiting.add(look);
      look();
    });
  }

  get served(): readonly Line[] {
    return this.lines.filter(({ message }) => message === "serving");
  }

  get warnings(): readonly Line[] {
    return this.lines.filter(({ message }) => message.startsWith("Cannot"));
  }

  async kill(): Promise<void> {
    const exited = new Promise((resolve) => this.process.once("exit", resolve));
    if (this.process.exitCode === null && this.process.signalCode === null && this.process.kill("SIGKILL"))
      await exited;
  }
}

/** Distributes TCP connections over the ports of the replicas in turn, as a Service does. */
class Balancer {
  readonly ports: number[] = [];
  readonly #sockets = new Set<Socket>();
  readonly #server: Server;
  #count = 0;

  constructor() {
    this.#server = createServer((socket) => {
      const port = this.ports[this.#count++ % this.ports.length] ?? 0;
      const upstream = connect(port, "127.0.0.1");
      for (const [one, other] of [
        [socket, upstream],
        [upstream, socket],
      ] as const) {
        this.#sockets.add(one);
        one.on("error", () => other.destroy()).on("close", () => other.destroy());
        one.setNoDelay(true).pipe(other);
      }
    });
  }

  async listen(): Promise<number> {
    await new Promise<void>((resolve) => this.#server.listen(0, "127.0.0.1", resolve));
    return (this.#server.address() as AddressInfo).port;
  }

  close(): void {
    for (const socket of this.#sockets) socket.destroy();
    this.#server.close();
  }
}

let plane: ControlPlane;
let transport: HttpsTransport;
let client: Client;
const balancer = new Balancer();
const replicas: Replica[] = [];

beforeAll(async () => {
  plane = await startControlPlane();
  const { url: server, caCertificate, admin } = plane;
  const credentials = { kind: "token", token: admin.token } as const;
  transport = new HttpsTransport({ server, caCertificate, credentials, namespace: "default" }, { clock: systemClock });
  client = createClient(transport);
  // Replicas have the permissions of `certificateRules` only.
  const managed = { secretName: names.secret, serviceName: names.service, validating: [names.validating] };
  const metadata = { name: "hooks" };
  const subjects = [{ kind: "User", apiGroup: "rbac.authorization.k8s.io", name: plane.restricted.name }];
  const roleRef = { apiGroup: "rbac.authorization.k8s.io", name: "hooks" };
  const { role, clusterRole } = certificateRules(managed);
  await client.create(Role, { metadata, rules: role });
  await client.create(ClusterRole, { metadata, rules: clusterRole });
  await client.create(RoleBinding, { metadata, subjects, roleRef: { ...roleRef, kind: "Role" } });
  await client.create(ClusterRoleBinding, { metadata, subjects, roleRef: { ...roleRef, kind: "ClusterRole" } });
  const port = await balancer.listen();
  await client.create(ValidatingWebhookConfiguration, {
    metadata: { name: names.validating },
    webhooks: [
      {
        name: "hooks.example.com",
        clientConfig: { url: `https://127.0.0.1:${port}/validate--v1-configmap` },
        rules: [{ apiGroups: [""], apiVersions: ["v1"], resources: ["configmaps"], operations: ["CREATE"] }],
        admissionReviewVersions: ["v1"],
        sideEffects: "None",
        failurePolicy: "Fail",
        timeoutSeconds: 5,
      },
    ],
  });
  const kubeconfig = plane.kubeconfigFile(plane.restricted);
  replicas.push(...[1, 2, 3].map(() => new Replica(kubeconfig)));
  for (const replica of replicas) {
    const { port } = await replica.printed(({ message }) => message === "Serving webhooks");
    balancer.ports.push(port ?? 0);
  }
}, 120_000);
afterAll(async () => {
  await Promise.all(replicas.map((replica) => replica.kill()));
  balancer.close();
  await transport?.close();
  await plane?.stop();
});

const admit = (name = "allowed"): Promise<unknown> =>
  client.create(ConfigMap, { metadata: { name } }, { dryRun: true });

/** Admissions per second with 16 clients that do not pause. */
async function measureRate(ms: number): Promise<number> {
  const endMs = performance.now() + ms;
  let count = 0;
  const lane = async (): Promise<void> => {
    while (performance.now() < endMs) {
      await admit();
      count += 1;
    }
  };
  await Promise.all(Array.from({ length: 16 }, lane));
  return (count * 1_000) / ms;
}

/** Sends admissions at a rate while `isNeeded`, whether or not earlier ones have returned. */
async function load(
  perSecond: number,
  isNeeded: () => boolean,
): Promise<{ sent: number; failures: unknown[]; ms: number }> {
  const startMs = performance.now();
  const failures: unknown[] = [];
  const pending = new Set<Promise<unknown>>();
  let sent = 0;
  while (isNeeded()) {
    for (const due = ((performance.now() - startMs) * perSecond) / 1_000; sent < due; sent++) {
      const one: Promise<unknown> = admit()
        .catch((error: unknown) => failures.push(error))
        .finally(() => pending.delete(one));
      pending.add(one);
    }
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
  const ms = performance.now() - startMs;
  await Promise.all(pending);
  return { sent, failures, ms };
}

test("three replicas rotate the certificate under load without a failed admission, with the derived permissions only", async ({
  annotate,
}) => {
  await expect(admit("denied")).rejects.toThrow('admission webhook "hooks.example.com" denied the request');
  const freeRate = await measureRate(2_000);
  const rate = Math.max(105, freeRate / 2);
  const before = replicas.map(({ served }) => served.length);
  const rotations = (): number =>
    Math.min(...replicas.map(({ served }, index) => served.length - (before[index] ?? 0)));
  const startMs = performance.now();
  // Long enough for the first CA to leave the bundle, too.
  const isRotating = (elapsedMs: number): boolean => elapsedMs < 11_000 || (rotations() < 2 && elapsedMs < 25_000);
  const { sent, failures, ms } = await load(rate, () => isRotating(performance.now() - startMs));
  await annotate(
    `${Math.round(freeRate)}/s without rotation; ${sent} in ${Math.round(ms)} ms with ${rotations()} rotations`,
  );
  expect(failures.map(String)).toEqual([]);
  expect(rotations()).toBeGreaterThanOrEqual(2);
  expect((sent * 1_000) / ms).toBeGreaterThanOrEqual(100);
  // Each replica served the same certificates in the same order, and no request of a replica failed.
  const served = replicas.map((replica) => replica.served.map(({ certificate }) => certificate));
  const common = Math.min(...served.map(({ length }) => length));
  for (const certificates of served) expect(certificates.slice(0, common)).toEqual(served[0]?.slice(0, common));
  expect(replicas.flatMap(({ warnings }) => warnings)).toEqual([]);
}, 60_000);

test("a replica that is killed in the middle of a rotation leaves a working state", async () => {
  const from = replicas.map(({ lines }) => lines.length);
  const issuing = await Promise.race(
    replicas.map(async (replica, index) => {
      await replica.printed(({ message }) => message === "Issued a webhook certificate", from[index]);
      return index;
    }),
  );
  const [killed] = replicas.splice(issuing, 1);
  const [next] = balancer.ports.splice(issuing, 1);
  await killed?.kill();
  expect(next).toBeDefined();
  const { data } = await client.get(Secret, names.secret);
  const rotated = Buffer.from(data?.["next-tls.crt"] ?? "", "base64").toString();
  expect(rotated).toContain("BEGIN CERTIFICATE");
  await Promise.all(replicas.map((replica) => replica.printed(({ certificate }) => certificate === rotated)));
  await waitFor(client, Secret, names.secret, {
    until: (secret) => secret?.data?.["next-tls.crt"] === undefined,
    timeout: "10s",
  });
  const endMs = performance.now() + 1_000;
  const { sent, failures } = await load(100, () => performance.now() < endMs);
  expect(sent).toBeGreaterThan(50);
  expect(failures.map(String)).toEqual([]);
}, 60_000);

test("an expired certificate found at start is replaced before the replica serves", async () => {
  await Promise.all(replicas.splice(0).map((replica) => replica.kill()));
  const [notBeforeMs, notAfterMs] = [Date.now() - 20_000, Date.now() - 10_000];
  const expired = issueCertificate({ commonName: "hooks-webhooks", names: ["127.0.0.1"], notBeforeMs, notAfterMs });
  const data = encodeState({ current: expired.certificate, authorities: [expired.authority] });
  await client.patch(Secret, names.secret, {
    merge: { data: { "next-tls.crt": null, "next-tls.key": null, ...data } },
  });
  const replica = new Replica(plane.kubeconfigFile(plane.restricted));
  replicas.push(replica);
  const { port = 0 } = await replica.printed(({ message }) => message === "Serving webhooks");
  balancer.ports.splice(0, balancer.ports.length, port);
  expect(replica.served.map(({ certificate }) => certificate)).not.toContain(expired.certificate.certificate);
  // The API server observes the caBundle some time after it was written.
  await expect.poll(() => admit().then(() => "admitted", String), { timeout: 5_000 }).toBe("admitted");
}, 60_000);
