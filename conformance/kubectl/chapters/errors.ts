import type { Chapter } from "../chapter.js";

const map = (name: string, more = ""): string =>
  `apiVersion: v1\nkind: ConfigMap\nmetadata: { name: ${name} }\n${more}`;
const deployment = (container: string, spec = ""): string => `
apiVersion: apps/v1
kind: Deployment
metadata: { name: web }
spec:
  ${spec}
  selector: { matchLabels: { app: web } }
  template:
    metadata: { labels: { app: web } }
    spec: { containers: [${container}] }
`;

/** Rejected requests and their messages. */
export const errors: Chapter = {
  name: "errors",
  files: {
    "unknown.yaml": map("unknown", "date: { a: b }\n"),
    "deep.yaml": deployment(
      "{ name: c, image: i, imagePullpolicy: Always, ports: [{ containerport: 80 }] }",
      "replica: 3",
    ),
    "duplicate.yaml": "apiVersion: v1\nkind: ConfigMap\nmetadata: { name: duplicate }\ndata:\n  a: b\n  a: c\n",
    "duplicate.json": '{"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"duplicate"},"data":{"a":"b","a":"c"}}',
    "type.yaml": map("type", "data: { a: 1, b: true }\n"),
    "type-2.yaml": deployment("{ name: c, image: i }", "replicas: many"),
    "type-3.yaml": deployment("{ name: c, image: i, ports: 80 }"),
    "invalid.yaml": deployment(
      "{ name: Bad_Name, image: i, ports: [{ containerPort: 99999 }], resources: { limits: { cpu: -1 } } }",
      "replicas: -1",
    ),
    "selector.yaml": deployment("{ name: c, image: i }").replace("labels: { app: web }", "labels: { app: other }"),
    "no-kind.yaml": "apiVersion: v1\nmetadata: { name: x }\n",
    "no-version.yaml": "kind: ConfigMap\nmetadata: { name: x }\n",
    "no-name.yaml": "apiVersion: v1\nkind: ConfigMap\n",
    "wrong-kind.yaml": "apiVersion: v1\nkind: Nothing\nmetadata: { name: x }\n",
    "wrong-version.yaml": "apiVersion: apps/v1beta1\nkind: Deployment\nmetadata: { name: x }\n",
    "wrong-group.yaml": "apiVersion: nothing.example.com/v1\nkind: Thing\nmetadata: { name: x }\n",
    "not-yaml.yaml": "a: [b\nc: d\n",
    "not-object.yaml": "- a\n- b\n",
    "text.yaml": "just text\n",
    "empty.yaml": "",
    "comments.yaml": "# nothing\n---\n---\n",
    "tab.yaml": "apiVersion: v1\n\tkind: ConfigMap\n",
    "namespace.yaml": "apiVersion: v1\nkind: ConfigMap\nmetadata: { name: x, namespace: elsewhere }\n",
    "bad-name.yaml": map("Bad_Name"),
    "long-name.yaml": map("a".repeat(254)),
    "bad-label.yaml":
      "apiVersion: v1\nkind: ConfigMap\nmetadata: { name: x, labels: { 'a b': c }, annotations: { 'g h': i } }\n",
    "bad-key.yaml": map("key", "data: { 'a b': c }\n"),
    "huge.yaml": map("huge", `data: { a: ${"x".repeat(1_048_577)} }\n`),
    "big.yaml": map("big", `data: { a: ${"x".repeat(300_000)} }\n`),
    "secret.yaml": "apiVersion: v1\nkind: Secret\nmetadata: { name: s }\ndata: { a: not-base64! }\n",
    "pod.yaml": "apiVersion: v1\nkind: Pod\nmetadata: { name: p }\nspec: { containers: [] }\n",
    "pod-2.yaml":
      "apiVersion: v1\nkind: Pod\nmetadata: { name: p }\nspec: { containers: [{ name: c, image: i, volumeMounts: [{ name: missing, mountPath: x }] }], restartPolicy: Sometimes, dnsPolicy: No }\n",
    "service.yaml":
      "apiVersion: v1\nkind: Service\nmetadata: { name: 1svc }\nspec: { type: What, ports: [{ port: 0 }, { port: 80, protocol: XYZ }] }\n",
    "quantity.yaml": deployment("{ name: c, image: i, resources: { limits: { cpu: lots } } }"),
    "list.yaml": `apiVersion: v1\nkind: List\nitems:\n  - ${JSON.stringify({ apiVersion: "v1", kind: "ConfigMap", metadata: { name: "listed" } })}\n  - { apiVersion: v1, kind: Nothing }\n`,
    "mixed.yaml": `${map("first")}---\n${map("Bad_Name")}---\n${map("third")}`,
    "role.yaml":
      "apiVersion: rbac.authorization.k8s.io/v1\nkind: Role\nmetadata: { name: r }\nrules: [{ verbs: [], resources: [pods] }]\n",
    "ingress.yaml":
      "apiVersion: networking.k8s.io/v1\nkind: Ingress\nmetadata: { name: i }\nspec: { rules: [{ http: { paths: [{ path: x, backend: {} }] } }] }\n",
    "owner.yaml": "apiVersion: v1\nkind: ConfigMap\nmetadata: { name: o, ownerReferences: [{ kind: Pod, name: x }] }\n",
    "crd.yaml":
      "apiVersion: apiextensions.k8s.io/v1\nkind: CustomResourceDefinition\nmetadata: { name: wrong }\nspec: { group: example.com, scope: Everywhere, names: { plural: things, kind: Thing }, versions: [{ name: v1, served: true, storage: true }] }\n",
    "status.yaml": "apiVersion: v1\nkind: Status\nmessage: x\n",
  },
  commands: [
    ...["strict", "warn", "ignore", "nonsense"].flatMap((mode) => [
      `kubectl apply -f unknown.yaml --validate=${mode}`,
      `kubectl create -f deep.yaml --validate=${mode} --dry-run=server`,
    ]),
    ...["strict", "warn", "ignore"].flatMap((mode) => [
      `kubectl create -f duplicate.yaml --validate=${mode} --dry-run=server`,
      `kubectl create -f duplicate.json --validate=${mode} --dry-run=server`,
      `kubectl apply --server-side -f unknown.yaml --validate=${mode} --dry-run=server`,
    ]),
    "kubectl apply -f unknown.yaml --validate=warn && kubectl patch cm unknown --type=merge -p '{\"dat\":{}}'",
    ...(
      "type type-2 type-3 invalid selector no-kind no-version no-name wrong-kind wrong-version wrong-group not-yaml not-object text empty comments tab namespace bad-name long-name bad-label bad-key secret pod pod-2 service quantity list mixed role ingress owner crd status".split(
        " ",
      ) as string[]
    ).map((file) => `kubectl apply -f ${file}.yaml`),
    "kubectl create -f type.yaml --validate=false",
    "kubectl create -f type-2.yaml --validate=false",
    "kubectl create -f type-3.yaml --validate=false",
    "kubectl apply --server-side -f type-2.yaml",
    "kubectl apply --server-side -f invalid.yaml",
    "kubectl apply --server-side -f bad-name.yaml",
    "kubectl apply --server-side -f namespace.yaml",
    "kubectl apply -f huge.yaml",
    "kubectl create -f huge.yaml",
    "kubectl apply --server-side -f huge.yaml",
    "kubectl apply -f big.yaml",
    "kubectl create -f big.yaml",
    "head -c 4000000 /dev/zero | tr '\\0' x > big.txt; kubectl create cm toobig --from-file=big.txt",
    "kubectl get pod Bad_Name",
    "kubectl get cm 'a b'",
    "kubectl get cm ..",
    "kubectl get cm a%2fb",
    "kubectl get foo/bar",
    "kubectl get pods.example.com",
    "kubectl get configmaps.apps",
    "kubectl describe nothing x",
    "kubectl delete nothing x",
    "kubectl explain nothing",
    "kubectl create ns errors; kubectl create cm x -n missing",
    "kubectl get cm --server=https://127.0.0.1:1",
    "kubectl get cm --token=wrong --client-certificate= --client-key= 2>&1 | head -3",
    "kubectl get cm --context=missing",
    "kubectl get cm --limit=3",
    "kubectl get --raw '/api/v1/namespaces/errors/configmaps?limit=x'",
    "kubectl get --raw '/api/v1/namespaces/errors/configmaps?limit=-1' | head -c 30",
    "kubectl get --raw '/api/v1/namespaces/errors/configmaps?continue=x'",
    "kubectl get --raw '/api/v1/namespaces/errors/configmaps?resourceVersion=x'",
    "kubectl get --raw '/api/v1/namespaces/errors/configmaps?resourceVersionMatch=Exact'",
    "kubectl get --raw '/api/v1/namespaces/errors/configmaps?watch=1&timeoutSeconds=1&resourceVersion=x'",
    "kubectl get --raw '/api/v1/namespaces/errors/configmaps?labelSelector=a%20b'",
    "kubectl get --raw '/api/v1/namespaces/errors/configmaps?fieldSelector=a'",
    "kubectl create quota q --hard=configmaps=1 && kubectl create cm over --from-literal=a=b && kubectl create cm over-2",
    'kubectl create rolebinding r --role=missing --user=u && kubectl patch rolebinding r --type=merge -p \'{"roleRef":{"name":"x"}}\'',
    "kubectl patch deployment missing -p '{}'",
  ],
};
