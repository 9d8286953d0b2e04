import type { JsonObject, JsonValue } from "@kubewright/core/json";
import type { Method } from "../test-case.js";
import type { AdmissionScript, ScriptedServer } from "../webhooks/index.js";

/** A request whose audit annotations are compared. */
export interface AuditedWrite {
  readonly method: Method;
  readonly path: string;
  readonly body: JsonObject;
}

const admission = "/apis/admissionregistration.k8s.io/v1";
const configMaps = "/api/v1/namespaces/default/configmaps";
const rules = [{ operations: ["CREATE", "UPDATE"], apiGroups: [""], apiVersions: ["v1"], resources: ["configmaps"] }];
const patching = (path: string, value: JsonValue): AdmissionScript => ({ patch: [{ value, path, op: "add" }] });
const annotated: AdmissionScript = {
  response: { auditAnnotations: { seen: "<yes>", "bad key": "dropped", "too/many": "dropped" } },
};

/** Creates webhook configurations and policies that annotate audit events of ConfigMaps. */
export function auditSetUp({ url, caBundle }: ScriptedServer): readonly AuditedWrite[] {
  const hook = (name: string, script: AdmissionScript, fields: JsonObject = {}): JsonObject => ({
    name: `${name}.example.com`,
    admissionReviewVersions: ["v1"],
    sideEffects: "None",
    clientConfig: { url: `${url}/admit/${Buffer.from(JSON.stringify(script)).toString("base64url")}`, caBundle },
    rules,
    ...fields,
  });
  const labelled = (label: string): JsonObject => ({ objectSelector: { matchLabels: { [label]: "yes" } } });
  const create = (kind: string, body: JsonObject): AuditedWrite => ({
    method: "POST",
    path: `${admission}/${kind.toLowerCase()}${kind.endsWith("Policy") ? "" : "s"}`.replace(/policy$/, "policies"),
    body: { apiVersion: "admissionregistration.k8s.io/v1", kind, ...body },
  });
  const policy = (name: string, fields: JsonObject): AuditedWrite =>
    create("ValidatingAdmissionPolicy", {
      metadata: { name },
      spec: { matchConstraints: { resourceRules: rules }, ...fields },
    });
  const binding = (name: string, policyName: string): AuditedWrite =>
    create("ValidatingAdmissionPolicyBinding", {
      metadata: { name },
      spec: { policyName, validationActions: ["Audit", "Warn"] },
    });
  return [
    create("MutatingWebhookConfiguration", {
      metadata: { name: "a" },
      webhooks: [
        hook("secrets", {}, { rules: [{ ...rules[0], resources: ["secrets"] }] }),
        hook("first", patching("/data/first", "<1>"), { reinvocationPolicy: "IfNeeded" }),
        hook("broken", { text: "hello" }, { failurePolicy: "Ignore", ...labelled("broken") }),
        hook("same", { ...patching("/data/k", "v"), ...annotated }),
      ],
    }),
    create("MutatingWebhookConfiguration", {
      metadata: { name: "b" },
      webhooks: [
        hook("last", patching("/data/last", { "b&": 1, a: 2 }), labelled("odd")),
        hook("denies", { deny: { message: "no" } }, labelled("denied")),
        hook("next", patching("/data/next", "2")),
      ],
    }),
    create("ValidatingWebhookConfiguration", {
      metadata: { name: "v" },
      webhooks: [
        hook("secrets", {}, { rules: [{ ...rules[0], resources: ["secrets"] }] }),
        hook("annotates", annotated),
        hook("fails", { hangUp: true }, { failurePolicy: "Ignore", ...labelled("broken") }),
      ],
    }),
    policy("p", {
      validations: [{ expression: "false", message: "<first>" }, { expression: "object.data.size() < 0" }],
      auditAnnotations: [
        { key: "name", valueExpression: "'is ' + object.metadata.name" },
        { key: "none", valueExpression: "null" },
      ],
    }),
    binding("p", "p"),
  ];
}

const write = (name: string, labels: JsonObject = {}): JsonObject => ({
  apiVersion: "v1",
  kind: "ConfigMap",
  metadata: { name, labels },
  data: { k: "v" },
});
const create = (name: string, labels?: JsonObject): AuditedWrite => ({
  method: "POST",
  path: configMaps,
  body: write(name, labels),
});

/** Sent again and again until every webhook and policy of {@link auditSetUp} is in effect: the response then contains {@link inEffect}. */
export const probe: AuditedWrite = { ...create("probe"), path: `${configMaps}?dryRun=All` };

/** Whether the response to {@link probe} shows all effects. */
export function inEffect(response: { readonly body: unknown; readonly headers: unknown }): boolean {
  const shown = JSON.stringify(response);
  return ['"first":', '"next":', "'p' with binding 'p'"].every((effect) => shown.includes(effect));
}

/** Requests with annotations of every kind. */
export const auditedWrites: readonly AuditedWrite[] = [
  create("a"),
  { method: "PUT", path: `${configMaps}/a`, body: write("a", { broken: "yes" }) },
  create("b", { denied: "yes" }),
  create("c", { odd: "yes" }),
  { ...create("d"), path: `${configMaps}?dryRun=All` },
];
