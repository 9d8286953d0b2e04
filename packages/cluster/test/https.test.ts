import { connect } from "node:http2";
import { request as http1 } from "node:https";
import { type Cluster, type Listening, startCluster } from "@kubewright/cluster";
import { afterEach, beforeEach, expect, test } from "vitest";
import { parse } from "yaml";
import { type Loose, sample, sampleDefinition } from "./test-cluster.js";

let cluster: Cluster;
let listening: Listening;

beforeEach(async () => {
  cluster = await startCluster();
  listening = await cluster.listen();
});

afterEach(async () => {
  await cluster.close();
});

interface HttpResponse {
  readonly status: number;
  readonly headers: Record<string, Loose>;
  readonly text: string;
  readonly body: Loose;
}

interface RequestOptions {
  readonly method?: string;
  readonly headers?: Record<string, string>;
  readonly body?: string;
  readonly token?: string | undefined;
  readonly tls?: { cert: string; key: string };
}

function request(
  path: string,
  { method = "GET", headers = {}, body, tls, ...rest }: RequestOptions = {},
): Promise<HttpResponse> {
  const token = "token" in rest ? rest.token : listening.adminToken;
  return new Promise((resolve, reject) => {
    const outgoing = http1(
      new URL(path, listening.url),
      {
        method,
        ca: listening.caCertificate,
        agent: false,
        ...tls,
        headers: { ...(token === undefined ? {} : { authorization: `Bearer ${token}` }), ...headers },
      },
      (incoming) => {
        const chunks: Buffer[] = [];
        incoming.on("data", (chunk: Buffer) => chunks.push(chunk));
        incoming.on("error", reject);
        incoming.on("end", () => {
          const text = Buffer.concat(chunks).toString("utf8");
          const isPlain = incoming.headers["content-encoding"] === undefined && text !== "";
          const isJson = isPlain && String(incoming.headers["content-type"]).startsWith("application/json");
          resolve({
            status: incoming.statusCode ?? 0,
            headers: incoming.headers,
            text,
            body: isJson ? JSON.parse(text) : undefined,
          });
        });
      },
    );
    outgoing.on("error", reject);
    outgoing.end(body);
  });
}

const post = (path: string, body: unknown): Promise<HttpResponse> =>
  request(path, { method: "POST", headers: { "content-type": "application/json" }, body: JSON.stringify(body) });

const definitions = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions";
const samples = "/apis/example.com/v1alpha1/namespaces/default/samples";
const configMaps = "/api/v1/namespaces/default/configmaps";
const table = "application/json;as=Table;v=v1;g=meta.k8s.io";

test("health and version are public, an anonymous client may read nothing else, and a wrong token is rejected", async () => {
  for (const path of ["/healthz", "/livez", "/readyz"])
    expect((await request(path, { token: undefined })).text).toBe("ok");
  expect((await request("/version", { token: undefined })).body).toMatchObject({ major: "1", minor: "36" });
  const anonymous = await request("/api/v1/namespaces", { token: undefined });
  expect(anonymous.status).toBe(403);
  expect(anonymous.body.message).toBe(
    'namespaces is forbidden: User "system:anonymous" cannot list resource "namespaces" in API group "" at the cluster scope',
  );
  const rejected = await request("/api/v1/namespaces", { token: "wrong" });
  expect(rejected.status).toBe(401);
  expect(rejected.body).toMatchObject({ kind: "Status", reason: "Unauthorized", message: "Unauthorized", code: 401 });
});

test("the client certificate of the kubeconfig has cluster-admin rights", async () => {
  const config = parse(listening.kubeconfig);
  const { user } = config.users[0];
  const decode = (text: string): string => Buffer.from(text, "base64").toString("utf8");
  expect(config.clusters[0].cluster.server).toBe(listening.url);
  expect(decode(config.clusters[0].cluster["certificate-authority-data"])).toBe(listening.caCertificate);
  const tls = { cert: decode(user["client-certificate-data"]), key: decode(user["client-key-data"]) };
  for (const token of [undefined, "wrong"])
    expect((await request("/api/v1/namespaces/default", { token, tls })).status).toBe(200);
});

test("HTTPS and the in-process transport serve the same objects; list items of built-in kinds omit apiVersion and kind", async () => {
  await post(configMaps, { metadata: { name: "a" }, data: { x: "1" } });
  const inProcess = await cluster.transport.send({ method: "GET", path: `${configMaps}/a` });
  expect((await request(`${configMaps}/a`)).body).toEqual(inProcess.body);
  const { body } = await request(configMaps);
  expect(body).toMatchObject({ kind: "ConfigMapList", apiVersion: "v1" });
  expect(Object.keys(body.items[0]).sort()).toEqual(["data", "metadata"]);
});

test("request bodies may be JSON or YAML, and other content types are rejected", async () => {
  const send = (type: string, body: string): Promise<HttpResponse> =>
    request(configMaps, { method: "POST", headers: { "content-type": type }, body });
  const yaml = await send("application/yaml", "metadata: {name: a}\ndata: {x: 'yes'}\n");
  expect(yaml.body.data).toEqual({ x: "yes" });
  expect((await send("application/xml", "<a/>")).status).toBe(415);
  expect((await send("application/json", "{bad")).status).toBe(400);
  expect((await send("application/json", `{"metadata":${"[".repeat(5_000)}${"]".repeat(5_000)}}`)).status).toBe(400);
  const large = await send("application/json", JSON.stringify({ data: { x: "y".repeat(3_200_000) } }));
  expect(large.status).toBe(413);
  expect(large.body.message).toBe("Request entity too large: limit is 3145728");
});

test("a client that does not accept JSON gets 406", async () => {
  const rejected = await request(configMaps, { headers: { accept: "application/vnd.kubernetes.protobuf" } });
  expect(rejected.body).toMatchObject({ code: 406, reason: "NotAcceptable" });
  const both = await request(configMaps, {
    headers: { accept: "application/vnd.kubernetes.protobuf,application/json" },
  });
  expect(both.status).toBe(200);
});

test("discovery is served unaggregated, and aggregated with an ETag", async () => {
  await post(definitions, sampleDefinition({ subresources: { status: {} } }));
  const groups: string[] = (await request("/apis")).body.groups.map((group: Loose) => group.name);
  expect(groups.slice(0, 3)).toEqual(["apiregistration.k8s.io", "apps", "events.k8s.io"]);
  expect(groups.at(-1)).toBe("example.com");
  expect((await request("/apis/example.com/v1alpha1")).body.resources.map((one: Loose) => one.name)).toEqual([
    "samples",
    "samples/status",
  ]);
  const accept = "application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList,application/json";
  const aggregated = await request("/apis", { headers: { accept } });
  expect(aggregated.headers["content-type"]).toBe(
    "application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList",
  );
  expect(aggregated.body.items.at(-1)).toMatchObject({
    metadata: { name: "example.com" },
    versions: [
      {
        version: "v1alpha1",
        freshness: "Current",
        resources: [{ resource: "samples", scope: "Namespaced", subresources: [{ subresource: "status" }] }],
      },
    ],
  });
  const etag = aggregated.headers["etag"];
  expect((await request("/apis", { headers: { accept, "if-none-match": etag } })).status).toBe(304);
  await request(`${definitions}/samples.example.com`, { method: "DELETE" });
  expect((await request("/apis", { headers: { accept, "if-none-match": etag } })).status).toBe(200);
});

test("OpenAPI v3 contains the schemas of built-in and custom kinds by group version", async () => {
  await post(definitions, sampleDefinition());
  // kube-apiserver serves this JSON as text/plain.
  const root: Loose = JSON.parse((await request("/openapi/v3")).text);
  expect(Object.keys(root.paths)).toContain("apis/example.com/v1alpha1");
  const address = root.paths["apis/apps/v1"].serverRelativeURL;
  const apps = await request(address);
  expect(apps.headers["cache-control"]).toContain("immutable");
  expect(apps.body.components.schemas["io.k8s.api.apps.v1.DeploymentSpec"].properties.template.allOf).toEqual([
    { $ref: "#/components/schemas/io.k8s.api.core.v1.PodTemplateSpec" },
  ]);
  expect(apps.body.components.schemas["io.k8s.api.core.v1.PodTemplateSpec"]).toBeDefined();
  const { body: custom } = await request("/openapi/v3/apis/example.com/v1alpha1");
  expect(custom.components.schemas["com.example.v1alpha1.Sample"].properties.testString).toEqual({ type: "string" });
  const { parameters } = custom.paths["/apis/example.com/v1alpha1/namespaces/{namespace}/samples/{name}"].patch;
  expect(parameters.map((one: Loose) => one.name)).toContain("fieldValidation");
  expect((await request(address.replace(/hash=.*/, "hash=OLD"))).headers["location"]).toBe(address);
  expect((await request("/openapi/v3/apis/nope/v1")).status).toBe(404);
});

test("a warning may contain non-ASCII characters", async () => {
  const { status, headers } = await post("/api/v1/namespaces/default/configmaps?dryRun=All", {
    metadata: { name: "w" },
    "é😀": 1,
  });
  expect(status).toBe(201);
  expect(Buffer.from(String(headers["warning"]), "latin1").toString("utf8")).toBe('299 - "unknown field \\"é😀\\""');
});

test("Tables have the columns of the kind, and PartialObjectMetadata is supported", async () => {
  const additionalPrinterColumns = [
    { name: "Test String", jsonPath: ".testString", type: "string" },
    { name: "Age", jsonPath: ".metadata.creationTimestamp", type: "date" },
  ];
  await post(definitions, sampleDefinition({ additionalPrinterColumns }));
  await post(samples, sample("a", { testString: "first" }));
  await post(samples, sample("b"));
  const { body } = await request(samples, { headers: { accept: table } });
  expect(body.kind).toBe("Table");
  expect(body.columnDefinitions.map((column: Loose) => column.name)).toEqual(["Name", "Test String", "Age"]);
  expect(body.rows.map((row: Loose) => row.cells.slice(0, 2))).toEqual([
    ["a", "first"],
    ["b", null],
  ]);
  expect(body.rows[0].object).toMatchObject({ kind: "PartialObjectMetadata", metadata: { name: "a" } });
  const partial = await request(`${samples}/a`, {
    headers: { accept: "application/json;as=PartialObjectMetadata;v=v1;g=meta.k8s.io" },
  });
  expect(partial.body).toMatchObject({
    kind: "PartialObjectMetadata",
    apiVersion: "meta.k8s.io/v1",
    metadata: { name: "a" },
  });
  expect(partial.body.testString).toBeUndefined();
  const list = await request(samples, {
    headers: { accept: "application/json;as=PartialObjectMetadataList;v=v1;g=meta.k8s.io" },
  });
  expect(list.body.items).toHaveLength(2);
  const wrong = await request(samples, {
    headers: { accept: "application/json;as=PartialObjectMetadata;v=v1;g=meta.k8s.io" },
  });
  expect(wrong.status).toBe(406);
});

test("HTTP/2 streams a watch line by line, and closing the listener terminates it cleanly", async () => {
  const session = connect(listening.url, { ca: listening.caCertificate });
  const stream = session.request({ ":path": `${configMaps}?watch=1`, authorization: `Bearer ${listening.adminToken}` });
  const lines: string[] = [];
  let buffered = "";
  const seen = new Promise<void>((resolve) => {
    stream.on("data", (chunk: Buffer) => {
      buffered += chunk.toString("utf8");
      lines.push(...buffered.split("\n").slice(0, -1));
      buffered = buffered.slice(buffered.lastIndexOf("\n") + 1);
      if (lines.length >= 2) resolve();
    });
  });
  const ended = new Promise<void>((resolve) => stream.on("end", resolve));
  await post(configMaps, { metadata: { name: "a" } });
  await post(configMaps, { metadata: { name: "b" } });
  await seen;
  expect(lines.map((line) => JSON.parse(line)).map((event) => `${event.type} ${event.object.metadata.name}`)).toEqual([
    "ADDED a",
    "ADDED b",
  ]);
  await listening.close();
  await ended;
  session.destroy();
  await expect(request("/healthz", { token: undefined })).rejects.toThrow(/ECONNREFUSED|ECONNRESET|socket hang up/);
});

test("a watch client that stops reading is terminated with 410 instead of buffering", async () => {
  const small = await startCluster({ historyLimit: 10 });
  const server = await small.listen();
  const session = connect(server.url, { ca: server.caCertificate });
  const stream = session.request({ ":path": `${configMaps}?watch=1`, authorization: `Bearer ${server.adminToken}` });
  await new Promise((resolve) => stream.on("response", resolve));
  stream.pause();
  const value = "x".repeat(500_000);
  for (let count = 0; count < 40; count++) {
    await small.transport.send({
      method: "POST",
      path: configMaps,
      body: { metadata: { name: `c${count}` }, data: { value } },
    });
    await new Promise((resolve) => setImmediate(resolve));
  }
  const chunks: Buffer[] = [];
  stream.on("data", (chunk: Buffer) => chunks.push(chunk));
  stream.resume();
  await new Promise((resolve) => stream.on("end", resolve));
  const events = Buffer.concat(chunks)
    .toString("utf8")
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line));
  expect(events.at(-1)).toMatchObject({ type: "ERROR", object: { code: 410 } });
  expect(events.length).toBeLessThan(40);
  session.destroy();
  await small.close();
});

test("listening on a used port fails with CLUSTER_START_FAILED", async () => {
  const port = Number(new URL(listening.url).port);
  await expect(cluster.listen({ port })).rejects.toMatchObject({ code: "CLUSTER_START_FAILED" });
});

test("large responses are compressed for clients that accept gzip, small ones are not", async () => {
  const path = "/api/v1/namespaces/default/configmaps";
  const small = await request(path, { headers: { "accept-encoding": "gzip" } });
  expect(small.headers["content-encoding"]).toBeUndefined();
  const body = JSON.stringify({ metadata: { name: "large" }, data: { k: "x".repeat(200_000) } });
  await request(path, { method: "POST", body, headers: { "content-type": "application/json" } });
  const plain = await request(path);
  expect(plain.headers["content-encoding"]).toBeUndefined();
  const compressed = await request(path, { headers: { "accept-encoding": "gzip" } });
  expect(compressed.headers).toMatchObject({ "content-encoding": "gzip", vary: "Accept-Encoding" });
  expect(Number(compressed.headers["content-length"])).toBeLessThan(5_000);
});

test("URL and headers may have up to 1 MiB", async () => {
  const path = `${configMaps}?labelSelector=${"a".repeat(60)}%20in%20(${"b,".repeat(40_000)}c)`;
  expect(await request(path)).toMatchObject({ status: 200, body: { items: [] } });
  expect(await request("/version", { headers: { "x-long": "a".repeat(500_000) } })).toMatchObject({ status: 200 });
  // The server may respond, or close the connection while the client is still sending.
  const tooLong = request("/version", { headers: { "x-long": "a".repeat(1_100_000) } }).then(
    ({ status }) => status,
    () => "closed",
  );
  expect([431, "closed"]).toContain(await tooLong);
});

test("OpenID discovery publishes the token signing key", async () => {
  const found = await request("/.well-known/openid-configuration");
  expect(found.headers["cache-control"]).toBe("public, max-age=3600");
  expect(found.body).toMatchObject({ jwks_uri: `${listening.url}/openid/v1/jwks` });
  const keys = await request("/openid/v1/jwks");
  expect(keys.headers["content-type"]).toBe("application/jwk-set+json");
  expect(JSON.parse(keys.text)).toMatchObject({ keys: [{ use: "sig", kty: "EC", alg: "ES256" }] });
});

test("an HTTP/2 connection allows 250 concurrent streams", async () => {
  const session = connect(listening.url, { ca: listening.caCertificate });
  const settings = await new Promise<Loose>((resolve) => session.once("remoteSettings", resolve));
  expect(settings).toMatchObject({ maxConcurrentStreams: 250, maxHeaderListSize: 1_048_576 });
  session.close();
});

test("all watches of a change receive the same bytes in order", async () => {
  const path = "/api/v1/namespaces/default/configmaps";
  const session = connect(listening.url, { ca: listening.caCertificate });
  const authorization = `Bearer ${listening.adminToken}`;
  const watches = Array.from({ length: 20 }, () => {
    const stream = session.request({ ":path": `${path}?watch=true&timeoutSeconds=1`, authorization });
    let text = "";
    stream.setEncoding("utf8").on("data", (part) => {
      text += part;
    });
    const opened = new Promise((resolve) => stream.once("response", resolve));
    return { opened, ended: new Promise<string>((resolve) => stream.once("end", () => resolve(text))) };
  });
  await Promise.all(watches.map(({ opened }) => opened));
  for (const name of ["a", "b", "c"])
    await request(path, {
      method: "POST",
      body: JSON.stringify({ metadata: { name } }),
      headers: { "content-type": "application/json" },
    });
  const bodies = await Promise.all(watches.map(({ ended }) => ended));
  expect(new Set(bodies).size).toBe(1);
  const names = (bodies[0] ?? "").trim().split("\n");
  expect(names.map((line) => JSON.parse(line).object.metadata.name)).toEqual(["a", "b", "c"]);
  session.close();
});

test("a static token logs its user in, who has the permissions that RBAC grants to its groups", async () => {
  await cluster.close();
  cluster = await startCluster({ tokens: [{ token: "jane-token", user: "jane", uid: "7", groups: ["readers"] }] });
  listening = await cluster.listen();
  const review = { apiVersion: "authentication.k8s.io/v1", kind: "SelfSubjectReview" };
  const who = await request("/apis/authentication.k8s.io/v1/selfsubjectreviews", {
    method: "POST",
    token: "jane-token",
    body: JSON.stringify(review),
  });
  expect(who.body.status.userInfo).toEqual({
    username: "jane",
    uid: "7",
    groups: ["readers", "system:authenticated"],
  });
  const nodes = () => request("/api/v1/nodes", { token: "jane-token" });
  expect((await nodes()).body.message).toBe(
    'nodes is forbidden: User "jane" cannot list resource "nodes" in API group "" at the cluster scope',
  );
  await cluster.transport.send({
    method: "POST",
    path: "/apis/rbac.authorization.k8s.io/v1/clusterrolebindings",
    body: {
      metadata: { name: "readers" },
      roleRef: { apiGroup: "rbac.authorization.k8s.io", kind: "ClusterRole", name: "system:node" },
      subjects: [{ kind: "Group", apiGroup: "rbac.authorization.k8s.io", name: "readers" }],
    },
  });
  expect((await nodes()).status).toBe(200);
  expect((await request("/api/v1/nodes", { token: "other" })).status).toBe(401);
});
