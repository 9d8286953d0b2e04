import { isDeepStrictEqual } from "node:util";
import { isJsonObject, type JsonObject, stringifyJson } from "@kubewright/core/json";
import type { BothClients } from "../fuzz/index.js";
import { inParallel } from "../in-parallel.js";
import type { ApiClient } from "../servers/api-client.js";
import { type PolicyOptions, type RandomPolicy, randomPolicy } from "./random-policy.js";

const rbac = "/apis/rbac.authorization.k8s.io/v1";
const apiGroup = "rbac.authorization.k8s.io";
const reviews = "/apis/authorization.k8s.io/v1/subjectaccessreviews";

/** What both servers say about one policy. */
export interface ComparedPolicy {
  readonly questions: number;
  readonly allowed: number;
  /** Questions with different verdicts, and users with different SelfSubjectRulesReviews. */
  readonly differences: readonly string[];
}

/** Creates a random policy on a real server and on ours, and asks both the same questions. */
export async function comparePolicy({ real, ours }: BothClients, options: PolicyOptions): Promise<ComparedPolicy> {
  const policy = randomPolicy(options);
  await Promise.all([real, ours].map((client) => install(client, policy, options.prefix)));
  const differences: string[] = [];
  let allowed = 0;
  await inParallel(8, policy.questions, async (spec) => {
    const [theirs, own] = await Promise.all([real, ours].map((client) => verdictOf(client, spec)));
    if (theirs?.["allowed"] === true) allowed++;
    if (!isDeepStrictEqual(theirs, own)) differences.push(shown(spec, theirs, own));
  });
  const users = new Map(
    policy.questions.map(({ user, groups }) => [
      stringifyJson([user, groups]),
      { user: user ?? "", groups: groups ?? [] },
    ]),
  );
  const asked = [...users.values()].flatMap((who) => policy.namespaces.map((namespace) => ({ who, namespace })));
  await inParallel(8, asked, async ({ who, namespace }) => {
    const [theirs, own] = await Promise.all([real, ours].map((client) => rulesOf(client, who, namespace)));
    if (!isDeepStrictEqual(theirs, own)) differences.push(shown({ ...who, namespace }, theirs, own));
  });
  return { questions: policy.questions.length, allowed, differences };
}

function shown(what: JsonObject, theirs: unknown, own: unknown): string {
  return [what, theirs, own].map((value) => stringifyJson(value)).join("\n  ");
}

/** Creates the objects, and waits until the authorizer knows them: kube-apiserver reads them from watches. */
async function install(client: ApiClient, { namespaces, objects }: RandomPolicy, prefix: string): Promise<void> {
  for (const name of namespaces) await create(client, "/api/v1/namespaces", { metadata: { name } });
  for (const { path, body } of objects) await create(client, path, body);
  const user = `${prefix}-last`;
  const subjects = [{ kind: "User", apiGroup, name: user }];
  const rules = [{ apiGroups: ["last.io"], resources: ["lasts"], verbs: ["get"] }];
  const name = `${prefix}-last`;
  const metadata = { name };
  const inNamespace = `${rbac}/namespaces/${namespaces[0]}`;
  await create(client, `${rbac}/clusterroles`, { metadata, rules });
  await create(client, `${inNamespace}/roles`, { metadata, rules: [{ ...rules[0], verbs: ["list"] }] });
  await create(client, `${rbac}/clusterrolebindings`, {
    metadata,
    roleRef: { apiGroup, kind: "ClusterRole", name },
    subjects,
  });
  await create(client, `${inNamespace}/rolebindings`, {
    metadata,
    roleRef: { apiGroup, kind: "Role", name },
    subjects,
  });
  for (const verb of ["get", "list"]) {
    const resourceAttributes = { verb, group: "last.io", resource: "lasts", namespace: namespaces[0] ?? "" };
    while ((await verdictOf(client, { user, resourceAttributes }))["allowed"] !== true)
      await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

async function create(client: ApiClient, path: string, body: JsonObject): Promise<void> {
  const { status, body: received } = await post(client, path, body);
  if (status !== 201) throw new Error(`Cannot create an object in "${path}": ${stringifyJson(received)}`);
}

function post(client: ApiClient, path: string, body: JsonObject, more: Readonly<Record<string, string>> = {}) {
  const headers = { "content-type": "application/json", accept: "application/json", ...more };
  return client.send({ method: "POST", path, headers, text: JSON.stringify(body) });
}

/** The status of a SubjectAccessReview. Of several bindings that allow a request, kube-apiserver names any one: such reasons are reduced to their start. */
async function verdictOf(client: ApiClient, spec: JsonObject): Promise<JsonObject> {
  const { body } = await post(client, reviews, {
    apiVersion: "authorization.k8s.io/v1",
    kind: "SubjectAccessReview",
    spec,
  });
  const status = isJsonObject(body) && isJsonObject(body["status"]) ? body["status"] : {};
  const { reason = "" } = status;
  return { ...status, reason: comparable(String(reason)) };
}

function comparable(reason: string): string {
  if (reason.startsWith("RBAC: allowed by")) return "RBAC: allowed by";
  const [start = "", errors] = reason.split(": [");
  return errors === undefined ? reason : `${start}: ${errors.replace("]", "").split(", ").sort().join(", ")}`;
}

/** The rules of a user, sorted. */
async function rulesOf(client: ApiClient, { user, groups }: JsonObject, namespace: string): Promise<unknown> {
  const headers = {
    "impersonate-user": String(user),
    ...(Array.isArray(groups) && groups.length > 0 && { "impersonate-group": String(groups[0]) }),
  };
  const body = { apiVersion: "authorization.k8s.io/v1", kind: "SelfSubjectRulesReview", spec: { namespace } };
  const { body: received } = await post(client, "/apis/authorization.k8s.io/v1/selfsubjectrulesreviews", body, headers);
  const status = isJsonObject(received) && isJsonObject(received["status"]) ? received["status"] : { received };
  const sorted = (value: unknown): unknown =>
    Array.isArray(value)
      ? value
          .map((one) => stringifyJson(isJsonObject(one) ? Object.fromEntries(Object.entries(one).sort()) : one))
          .sort()
      : value;
  const { evaluationError = "", resourceRules, nonResourceRules, ...rest } = status as JsonObject;
  const errors = String(evaluationError)
    .replace(/^\[|\]$/g, "")
    .split(", ")
    .sort();
  return { ...rest, errors, resourceRules: sorted(resourceRules), nonResourceRules: sorted(nonResourceRules) };
}
