import type { Chapter } from "../chapter.js";

const objects = `
apiVersion: v1
kind: List
items:
  - { apiVersion: v1, kind: ConfigMap, metadata: { name: a, labels: { app: web, tier: front } }, data: { k: "1" } }
  - { apiVersion: v1, kind: ConfigMap, metadata: { name: b, labels: { app: web, tier: back } }, data: { k: "3" } }
  - { apiVersion: v1, kind: ConfigMap, metadata: { name: c, labels: { app: db } }, data: { k: "2", j: "x" } }
  - { apiVersion: v1, kind: Secret, metadata: { name: s, labels: { app: web } }, stringData: { k: v } }
  - apiVersion: v1
    kind: Pod
    metadata: { name: one, labels: { app: web } }
    spec: { containers: [{ name: main, image: nginx }, { name: side, image: busybox }], nodeSelector: { disk: ssd } }
  - apiVersion: v1
    kind: Pod
    metadata: { name: two, labels: { app: db } }
    spec: { nodeName: n1, restartPolicy: Never, containers: [{ name: main, image: postgres }], readinessGates: [{ conditionType: x }] }
  - apiVersion: v1
    kind: Service
    metadata: { name: web }
    spec: { selector: { app: web }, ports: [{ port: 80, name: http }, { port: 53, protocol: UDP, name: dns }] }
`;

/** Starts a watch, runs a command, and waits for this many lines. */
const watching = (what: string, change: string, lines: number): string =>
  `timeout 20 kubectl get ${what} -w --output-watch-events > w.txt & until [ -s w.txt ]; do sleep 0.1; done; ${change}; until ! [ $(wc -l < w.txt) -lt ${lines} ]; do sleep 0.1; done; kill $!; cat w.txt; rm w.txt`;

/** `kubectl get` in every output format. */
export const get: Chapter = {
  name: "get",
  files: {
    "objects.yaml": objects,
    "one.yaml":
      "apiVersion: v1\nkind: ConfigMap\nmetadata: { name: a }\n---\napiVersion: v1\nkind: Secret\nmetadata: { name: s }\n",
    "columns.txt": "NAME  VALUE\n.metadata.name  .data.k\n",
    "names.tpl": "{{range .items}}{{.metadata.name}} {{.kind}}\n{{end}}",
    "path.txt": '{range .items[*]}{.metadata.name}{"\\n"}{end}',
  },
  commands: [
    "kubectl get cm",
    "kubectl create -f objects.yaml",
    "kubectl get cm",
    "kubectl get cm,secret,po",
    "kubectl get po",
    "kubectl get po -o wide",
    "kubectl get pod/one cm/a service/web",
    "kubectl get po one two missing",
    "kubectl get cm missing --ignore-not-found",
    "kubectl get cm a -o json",
    "kubectl get cm a -o yaml --show-managed-fields",
    "kubectl get cm -o name",
    "kubectl get cm,po -o name",
    "kubectl get cm -o json -l app=web",
    "kubectl get pod one two -o yaml",
    "kubectl get svc web -o yaml",
    "kubectl get cm -o 'jsonpath={range .items[*]}{.metadata.name}={.data.k}{\"\\n\"}{end}'",
    "kubectl get cm -o jsonpath-as-json='{.items[*].data}'",
    "kubectl get cm -o jsonpath='{.items[?(@.data.k==\"2\")].metadata.name}'",
    "kubectl get cm -o jsonpath='{.nothing}'",
    "kubectl get cm -o jsonpath='{'",
    "kubectl get cm -o jsonpath-file=path.txt",
    "kubectl get cm -o go-template='{{len .items}}'",
    "kubectl get cm -o go-template-file=names.tpl",
    "kubectl get cm -o custom-columns=N:.metadata.name,K:.data.k,J:.data.j",
    "kubectl get cm -o custom-columns-file=columns.txt",
    "kubectl get cm -o nonsense",
    "kubectl get cm --show-labels",
    "kubectl get cm --show-kind",
    "kubectl get cm -L app,tier",
    "kubectl get cm,po -L app --show-labels",
    "kubectl get cm --no-headers",
    "kubectl get cm --sort-by=.data.k",
    "kubectl get cm --sort-by='{.metadata.name}'",
    "kubectl get cm --sort-by=.nothing.there",
    "kubectl get cm -l app=web",
    "kubectl get cm -l 'app in (web,db),!tier'",
    "kubectl get cm -l 'app=='",
    "kubectl get cm -l 'app===x'",
    "kubectl get cm --field-selector=metadata.name=a",
    "kubectl get cm --field-selector=metadata.name!=a,metadata.namespace=get",
    "kubectl get cm --field-selector=data.k=1",
    "kubectl get po --field-selector=spec.nodeName=n1,status.phase=Pending",
    "kubectl get po --field-selector=spec.restartPolicy!=Never",
    "kubectl get po --field-selector=spec.nope=1",
    "kubectl get svc --field-selector=spec.type=ClusterIP",
    "kubectl get secrets --field-selector=type=Opaque",
    "kubectl get events --field-selector=involvedObject.kind=Pod",
    "kubectl get cm --chunk-size=1",
    "kubectl get cm -A --field-selector=metadata.namespace=get",
    "kubectl get po -A --field-selector=metadata.namespace=get",
    "kubectl get pod two --subresource=status -o name",
    "kubectl get pod two --subresource=scale",
    "kubectl get pod two --subresource=nothing",
    "kubectl get -f one.yaml",
    "kubectl get -f one.yaml -o name",
    "kubectl get all",
    "kubectl get nothing",
    "kubectl get cm/a po/one secret/s -o name",
    "kubectl get cm a/b",
    "kubectl get cm/a secret",
    "kubectl get pods.v1. one -o name",
    "kubectl get deployments.apps",
    "kubectl get deployments.v1.apps -o json",
    "kubectl get deployments.v1beta1.apps",
    "kubectl get namespaces get -o wide",
    "kubectl get ns get kube-system default -o name",
    "kubectl get cm -n missing",
    "kubectl get cm a -n missing",
    "kubectl get all -n missing",
    "kubectl get cm a -w --watch-only --request-timeout=1s",
    watching("cm", "kubectl label cm a new=1; kubectl delete cm b", 5),
    watching("cm -o name", "kubectl label cm a new=2 --overwrite; kubectl create cm d", 4),
    watching("cm -l app=web", "kubectl label cm a app=other --overwrite; kubectl label cm c app=web --overwrite", 4),
    watching("cm -o json", "kubectl delete cm d", 0).replace("wc -l", "grep -c DELETED").replace("-lt 0", "-lt 1"),
    "kubectl get --raw /api/v1/namespaces/get/configmaps/missing",
    "kubectl get --raw /api/v1/namespaces/get/configmaps/c",
    "kubectl get --raw '/api/v1/namespaces/get/configmaps?limit=1&labelSelector=app%3Dweb'",
  ],
};
