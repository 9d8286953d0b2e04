import type { Chapter } from "../chapter.js";

const map = (name: string, data: string, more = ""): string =>
  `apiVersion: v1\nkind: ConfigMap\nmetadata: { name: ${name}, labels: { part: of${more} } }\ndata: ${data}\n`;
const web = `
apiVersion: apps/v1
kind: Deployment
metadata: { name: web }
spec:
  replicas: 2
  selector: { matchLabels: { app: web } }
  template:
    metadata: { labels: { app: web } }
    spec:
      containers:
        - { name: main, image: "nginx:1.27", ports: [{ containerPort: 80 }, { containerPort: 81 }], env: [{ name: A, value: a }] }
        - { name: side, image: busybox }
`;

/** Client-side and server-side apply of manifests. */
export const apply: Chapter = {
  name: "apply",
  files: {
    "a.yaml": map("a", "{ x: '1', y: '2' }"),
    "a-2.yaml": map("a", "{ x: '1', z: '3' }"),
    "ab.yaml": `${map("a", "{ x: '1' }")}---\n${map("b", "{ x: '1' }")}`,
    "many/a.yaml": map("a", "{ x: '1' }"),
    "many/b.json": JSON.stringify({ apiVersion: "v1", kind: "ConfigMap", metadata: { name: "b" }, data: { k: "v" } }),
    "many/deep/c.yaml": map("c", "{ x: '1' }"),
    "web.yaml": web,
    "web-2.yaml": web
      .replace("nginx:1.27", "nginx:1.28")
      .replace(", { containerPort: 81 }", "")
      .replace("        - { name: side, image: busybox }\n", ""),
    "web-selector.yaml": web.replaceAll("app: web", "app: other"),
    "pod.yaml": "apiVersion: v1\nkind: Pod\nmetadata: { name: p }\nspec: { containers: [{ name: c, image: i }] }\n",
    "pod-2.yaml":
      "apiVersion: v1\nkind: Pod\nmetadata: { name: p }\nspec: { containers: [{ name: c, image: j, command: [x] }] }\n",
    "generate.yaml": "apiVersion: v1\nkind: ConfigMap\nmetadata: { generateName: gen- }\n",
    "secret.yaml": "apiVersion: v1\nkind: Secret\nmetadata: { name: s }\nstringData: { a: b }\n",
    "service.yaml":
      "apiVersion: v1\nkind: Service\nmetadata: { name: s }\nspec: { selector: { a: b }, ports: [{ port: 80, name: a }, { port: 81, name: b }] }\n",
    "service-2.yaml":
      "apiVersion: v1\nkind: Service\nmetadata: { name: s }\nspec: { type: NodePort, selector: { a: c }, ports: [{ port: 80, name: a }] }\n",
    "kustomize/kustomization.yaml":
      "namePrefix: k-\nlabels: [{ pairs: { by: kustomize }, includeSelectors: true }]\nresources: [web.yaml]\nimages: [{ name: nginx, newTag: '2' }]\nconfigMapGenerator: [{ name: made, literals: [a=b] }]\n",
    "kustomize/web.yaml": web,
  },
  commands: [
    "kubectl apply -f a.yaml",
    "kubectl apply -f a.yaml",
    "kubectl apply -f a-2.yaml --dry-run=client",
    "kubectl apply -f a-2.yaml --dry-run=server",
    "kubectl apply -f a-2.yaml --dry-run=client -o yaml",
    "kubectl diff -f a-2.yaml",
    "kubectl diff -f a.yaml",
    "kubectl apply -f a-2.yaml -o yaml",
    "kubectl apply view-last-applied configmap/a",
    "kubectl apply view-last-applied -f a.yaml -o json",
    "kubectl apply set-last-applied -f a.yaml",
    "kubectl apply set-last-applied -f a.yaml --create-annotation",
    "EDITOR='sed -i s/part/parts/' kubectl apply edit-last-applied configmap/a",
    "EDITOR=true kubectl apply edit-last-applied configmap/a",
    "kubectl create configmap bare",
    "kubectl apply view-last-applied configmap/bare",
    "kubectl apply set-last-applied -f many/b.json",
    "cat a.yaml | kubectl apply -f -",
    "kubectl apply -f many",
    "kubectl apply -R -f many -o name",
    "kubectl apply -f many -f ab.yaml --validate=ignore",
    "kubectl apply -f ab.yaml -l part=none",
    "kubectl create configmap bare --dry-run=client -o yaml | kubectl apply -f -",
    "kubectl apply -f secret.yaml",
    "kubectl get secret s -o yaml",
    "kubectl apply -f generate.yaml",
    "kubectl create -f generate.yaml | sed 's/gen-...../gen-X/'",
    "kubectl apply -f web.yaml",
    "kubectl apply -f web-2.yaml",
    "kubectl get deployment web -o yaml",
    "kubectl apply -f web-selector.yaml",
    "kubectl apply -f web-selector.yaml --force",
    "kubectl apply -f pod.yaml",
    "kubectl apply -f pod-2.yaml",
    "kubectl diff -f pod-2.yaml",
    "kubectl apply -f pod-2.yaml --force --grace-period=0",
    "kubectl apply -f service.yaml",
    "kubectl apply -f service-2.yaml",
    "kubectl get service s -o yaml",
    "kubectl apply -f service.yaml --server-side",
    "kubectl apply -f service.yaml --server-side --force-conflicts",
    "kubectl get service s -o yaml --show-managed-fields",
    "kubectl apply --server-side -f a.yaml",
    "kubectl apply --server-side -f a.yaml --field-manager=two",
    "kubectl apply --server-side -f a-2.yaml --field-manager=two",
    'kubectl patch cm a --type=merge --field-manager=three -p \'{"data":{"x":"9"}}\'',
    "kubectl apply --server-side -f a.yaml",
    "kubectl apply --server-side -f a.yaml --dry-run=server -o yaml",
    "kubectl apply --server-side -f a.yaml --force-conflicts -o json --show-managed-fields",
    "kubectl diff --server-side -f a-2.yaml",
    "kubectl diff --server-side --force-conflicts --field-manager=two -f a-2.yaml",
    "kubectl apply --server-side -f web.yaml --field-manager=x",
    "kubectl apply --server-side -f web.yaml --dry-run=client",
    "kubectl apply --server-side -f generate.yaml",
    "kubectl get deployment web -o yaml --show-managed-fields",
    "kubectl apply -k kustomize --dry-run=server",
    "kubectl apply -k kustomize",
    "kubectl get -k kustomize -o name",
    "kubectl diff -k kustomize",
    "kubectl delete -k kustomize",
    "kubectl apply -f ab.yaml --prune -l part=of",
    "kubectl apply -f a.yaml --prune -l part=of --prune-allowlist=core/v1/ConfigMap",
    "kubectl apply -f a.yaml --prune -l part=of --prune-allowlist=core/v1/ConfigMap --dry-run=server",
    "kubectl apply -f a.yaml --prune --prune-allowlist=core/v9/Nothing -l part=of",
    "KUBECTL_APPLYSET=true kubectl apply -f ab.yaml --prune --applyset=configmap/set",
    "KUBECTL_APPLYSET=true kubectl apply -f a.yaml --prune --applyset=set",
    "kubectl create secret generic set",
    "KUBECTL_APPLYSET=true kubectl apply --server-side --force-conflicts -f ab.yaml --prune --applyset=newset",
    "KUBECTL_APPLYSET=true kubectl apply --server-side --force-conflicts -f a.yaml --prune --applyset=newset",
    "KUBECTL_APPLYSET=true kubectl apply -f ab.yaml --prune --applyset=plainset",
    "kubectl get secret newset -o yaml",
    "kubectl get cm --show-labels | grep -v gen-",
    "kubectl apply -f missing.yaml",
    "kubectl apply -f .",
    "kubectl apply",
    "kubectl apply -f a.yaml -n other",
    "kubectl create ns apply-other && kubectl apply -f a.yaml -n apply-other && kubectl delete ns apply-other",
  ],
};
