import type { JsonObject } from "@kubewright/core/json";
import { get, post, type RequestStep, send, subject } from "../test-case.js";
import { create, createSpec, getTable, replace } from "./object-steps.js";
import { container, deployment, deployments, pods, services } from "./sample-objects.js";

const partial = { headers: { accept: "application/json;as=PartialObjectMetadata;v=v1;g=meta.k8s.io" } };
const createPod = (name: string, spec: JsonObject = {}): RequestStep =>
  createSpec(pods, name, { containers: [container("c", "i")], ...spec });

const jobs = "/apis/batch/v1/namespaces/{ns}/jobs";
/** The spec of a Job with a manual selector, so that its labels do not contain its uid. */
const job = (app: string, image: string, spec: JsonObject = {}): JsonObject => ({
  manualSelector: true,
  selector: { matchLabels: { app } },
  template: { metadata: { labels: { app } }, spec: { restartPolicy: "Never", containers: [container("c", image)] } },
  ...spec,
});
const json = { "content-type": "application/json" };

/** Less common requests of kubectl and other clients. */
export const clients = subject("clients", {
  "a Scale is returned as a Table and as PartialObjectMetadata": [
    post(deployments, deployment("d")),
    getTable(`${deployments}/d/scale`),
    getTable(`${deployments}/d/scale?includeObject=Object`),
    get(`${deployments}/d/scale`, partial),
  ],
  "exec, attach, portforward and proxy fail for a Pod without a node": [
    createPod("free"),
    createPod("bound", { nodeName: "no-such-node", containers: [1, 2].map((n) => container(`c${n}`, "i")) }),
    ...["exec?command=ls", "attach", "portforward", "proxy", "proxy/a/b"].map((part) => get(`${pods}/free/${part}`)),
    ...[
      "exec?command=ls&container=c1",
      "exec?command=ls",
      "exec?command=ls&container=x",
      "attach?container=c2",
      "portforward",
    ].map((part) => get(`${pods}/bound/${part}`)),
    ...["exec?command=ls", "attach", "portforward", "proxy"].map((part) => get(`${pods}/missing/${part}`)),
    ...["free:80", "http:free:80", "ftp:free:80", "a:b:c:d"].map((name) => get(`${pods}/${name}/proxy/`)),
  ],
  "proxy fails for a Service without endpoints and for a missing Node": [
    createSpec(services, "s", { ports: [{ port: 80, name: "http" }] }),
    createSpec(services, "e", { ports: [{ port: 80, name: "http" }] }),
    create("/api/v1/namespaces/{ns}/endpoints", "e"),
    ...["s", "s:80", "s:81", "s:http", "e", "e:80", "missing", "missing:80", "a:b:c:d"].map((name) =>
      get(`${services}/${name}/proxy/`),
    ),
    get("/api/v1/nodes/no-such-node/proxy/metrics"),
    get("/api/v1/nodes/no-such-node:10250/proxy/"),
  ],
  "the body of a POST to a subresource must be an object": [
    createPod("p"),
    post(deployments, deployment("d")),
    ...[`${pods}/p/eviction`, `${pods}/p/binding`, "/api/v1/namespaces/{ns}/bindings"].flatMap((path) =>
      ["kind: Eviction", "[]", "5", '{"kind":5}', ""].map((text) => send("POST", path, { text, headers: json })),
    ),
    ...["kind: Scale", "[]", ""].map((text) => send("PUT", `${deployments}/d/scale`, { text, headers: json })),
  ],
  "a Job's template is immutable": [
    createSpec(jobs, "j", job("j", "i")),
    replace(jobs, "j", { spec: job("j", "other") }),
    createSpec(jobs, "s", job("s", "i", { suspend: true })),
    replace(jobs, "s", { spec: job("s", "other", { suspend: true }) }),
  ],
});
