import type { Chapter } from "../chapter.js";

const node = (name: string): string => `apiVersion: v1\nkind: Node\nmetadata: { name: ${name}, labels: { pool: x } }\n`;

/** Nodes, certificates and RBAC. */
export const nodes: Chapter = {
  name: "nodes",
  files: {
    "nodes.yaml": `${node("node-a")}---\n${node("node-b")}`,
    "pods.yaml": `
apiVersion: v1
kind: Pod
metadata: { name: bare }
spec: { nodeName: node-a, containers: [{ name: c, image: i }] }
---
apiVersion: v1
kind: Pod
metadata: { name: scratch }
spec: { nodeName: node-b, containers: [{ name: c, image: i }], volumes: [{ name: v, emptyDir: {} }] }
`,
    "roles.yaml": `
apiVersion: rbac.authorization.k8s.io/v1
kind: ClusterRole
metadata: { name: nodes-role, labels: { a: b } }
rules: [{ apiGroups: [""], resources: [pods], verbs: [get] }]
---
apiVersion: rbac.authorization.k8s.io/v1
kind: RoleBinding
metadata: { name: binding }
subjects: [{ kind: User, name: u, apiGroup: rbac.authorization.k8s.io }]
roleRef: { kind: ClusterRole, name: nodes-role, apiGroup: rbac.authorization.k8s.io }
`,
    "roles-2.yaml": `
apiVersion: rbac.authorization.k8s.io/v1
kind: ClusterRole
metadata: { name: nodes-role }
rules: [{ apiGroups: [""], resources: [pods, services], verbs: [get, list] }]
`,
    "binding-2.yaml": `
apiVersion: rbac.authorization.k8s.io/v1
kind: RoleBinding
metadata: { name: binding }
subjects: [{ kind: User, name: u, apiGroup: rbac.authorization.k8s.io }]
roleRef: { kind: ClusterRole, name: view, apiGroup: rbac.authorization.k8s.io }
`,
    "csr.sh": `#!/bin/sh
kubectl create -f - <<.
apiVersion: certificates.k8s.io/v1
kind: CertificateSigningRequest
metadata: { name: $1 }
spec: { signerName: kubernetes.io/kube-apiserver-client, expirationSeconds: 3600, usages: [client auth], request: $(openssl req -new -newkey rsa:2048 -nodes -keyout /dev/null -subj /CN=u/O=g 2>/dev/null | base64 -w0) }
.
`,
  },
  commands: [
    "kubectl create -f nodes.yaml -f pods.yaml",
    "kubectl get nodes -l pool=x",
    "kubectl get nodes -l pool=x -o wide",
    "kubectl get node node-a -o yaml",
    "kubectl describe node node-a",
    "kubectl taint node node-a k=v:NoSchedule",
    "kubectl taint node node-a k=v:NoSchedule",
    "kubectl taint node node-a k=w:NoSchedule --overwrite",
    "kubectl taint nodes -l pool=x other:NoExecute",
    "kubectl taint node node-a k:NoSchedule-",
    "kubectl taint node node-a missing-",
    "kubectl taint node node-a k=v:Nonsense",
    "kubectl cordon node-a",
    "kubectl cordon node-a",
    "kubectl get nodes -l pool=x",
    "kubectl uncordon node-a",
    "kubectl uncordon node-a",
    "kubectl cordon missing",
    "kubectl drain node-a --dry-run=client --force",
    "kubectl drain node-a --dry-run=server --force",
    "kubectl drain node-a",
    "kubectl drain node-b --force",
    "kubectl drain -l pool=x --dry-run=server --force --delete-emptydir-data",
    "kubectl drain node-a node-b --force --delete-emptydir-data --grace-period=0 --timeout=20s --disable-eviction",
    "kubectl get pods",
    "kubectl uncordon -l pool=x",
    "sh csr.sh nodes-one",
    "sh csr.sh nodes-two",
    "kubectl get csr nodes-one nodes-two",
    "kubectl describe csr nodes-one",
    "kubectl certificate approve nodes-one",
    "kubectl certificate approve nodes-one",
    "kubectl certificate deny nodes-one",
    "kubectl certificate deny nodes-two",
    "kubectl certificate approve missing",
    "kubectl get csr nodes-one nodes-two",
    "kubectl get csr nodes-one -o wide",
    "kubectl get csr nodes-one nodes-two -o yaml | grep -v 'request:'",
    "kubectl describe csr nodes-two",
    "kubectl auth reconcile -f roles.yaml 2>&1 | head -4",
    "kubectl auth reconcile -f roles.yaml 2>&1 | head -4",
    "kubectl auth reconcile -f roles-2.yaml --dry-run=server 2>&1 | head -4",
    "kubectl auth reconcile -f roles-2.yaml 2>&1 | head -4",
    "kubectl get clusterrole nodes-role -o yaml",
    "kubectl auth reconcile -f roles.yaml --remove-extra-permissions 2>&1 | head -4",
    "kubectl apply -f binding-2.yaml",
    "kubectl auth reconcile -f binding-2.yaml 2>&1 | head -4",
    "kubectl auth whoami",
    "kubectl auth whoami -o yaml",
    "kubectl auth can-i create pods",
    "kubectl auth can-i get pods --subresource=log",
    "kubectl auth can-i '*' '*'",
    "kubectl auth can-i --list",
    "kubectl auth can-i get /healthz",
    "kubectl auth can-i get nothing",
    "kubectl auth can-i list pods --as=jane",
    "kubectl auth can-i list pods --as=jane -q",
    "kubectl get pods --as=jane",
    "kubectl delete -f nodes.yaml",
    "kubectl delete csr nodes-one nodes-two",
    "kubectl delete clusterrole nodes-role",
  ],
};
