import type { Chapter } from "../chapter.js";

const reader = `apiVersion: rbac.authorization.k8s.io/v1
kind: Role
metadata: { name: reconciled, namespace: access }
rules:
  - { apiGroups: [""], resources: [pods], verbs: [get, list] }
---
apiVersion: rbac.authorization.k8s.io/v1
kind: RoleBinding
metadata: { name: reconciled, namespace: access }
roleRef: { apiGroup: rbac.authorization.k8s.io, kind: Role, name: reconciled }
subjects:
  - { kind: User, apiGroup: rbac.authorization.k8s.io, name: carl }
`;

/** Waits until the authorizer of a real server knows a binding. */
const until = (command: string): string =>
  `for i in $(seq 100); do ${command} >/dev/null 2>&1 && break; sleep 0.05; done; ${command}`;

/** Users, roles and permissions: `auth`, `--as`, and the commands that create RBAC objects and tokens. */
export const access: Chapter = {
  name: "access",
  files: { "reader.yaml": reader, "less.yaml": reader.replace("[get, list]", "[get]").replace("carl", "dora") },
  commands: [
    "kubectl auth can-i list pods",
    "kubectl auth can-i '*' '*'",
    "kubectl auth can-i --list --as guest",
    "kubectl auth can-i list pods --as guest",
    "kubectl auth can-i get /healthz --as guest",
    "kubectl auth can-i get /metrics --as guest",
    "kubectl auth whoami --as jane --as-group developers --as-uid 7",
    "kubectl auth whoami --as jane -o json",
    "kubectl auth whoami --as system:serviceaccount:default:bot",
    "kubectl get pods --as jane",
    "kubectl get pods web --as jane",
    "kubectl create configmap a --as jane",
    "kubectl delete configmap a --as jane",
    "kubectl get nodes --as jane",
    "kubectl create serviceaccount bot",
    "kubectl create serviceaccount bot",
    "kubectl create role reader --verb=get,list,watch --resource=pods,configmaps",
    "kubectl create role named --verb=get --resource=secrets --resource-name=a --resource-name=b",
    "kubectl create role scaler --verb=patch --resource=deployments.apps/scale",
    "kubectl create role bad --verb=fly --resource=pods",
    "kubectl create role none --verb=get --resource=nothings",
    "kubectl create rolebinding reader --role=reader --serviceaccount=access:bot --user=jane --group=developers",
    "kubectl create rolebinding viewer --clusterrole=view --user=vera",
    "kubectl create rolebinding missing --role=missing --user=vera",
    "kubectl create clusterrole access-urls --verb=get --non-resource-url='/logs/*'",
    "kubectl create clusterrole access-sum --aggregation-rule=access-sum=true",
    "kubectl create clusterrolebinding access-urls --clusterrole=access-urls --user=jane",
    "kubectl get role,rolebinding",
    "kubectl describe role reader named",
    "kubectl describe rolebinding reader",
    "kubectl describe clusterrole access-urls access-sum",
    until("kubectl get pods --as jane"),
    until("kubectl auth can-i list configmaps --as developer --as-group developers"),
    "kubectl auth can-i delete pods --as jane",
    "kubectl get secret a --as jane",
    until("kubectl auth can-i get /logs/a --as jane"),
    until("kubectl auth can-i get deployments --as vera"),
    "kubectl auth can-i get secrets --as vera",
    "kubectl create role more --verb=delete --resource=pods --as vera",
    "kubectl auth reconcile -f reader.yaml",
    "kubectl auth reconcile -f less.yaml",
    "kubectl auth reconcile -f less.yaml --remove-extra-permissions --remove-extra-subjects",
    "kubectl get role reconciled -o jsonpath='{.rules}'",
    "kubectl get rolebinding reconciled -o jsonpath='{.subjects}'",
    "kubectl create token missing",
    "kubectl create token bot --duration 1s",
    "kubectl create token bot | cut -c1-3",
    'kubectl config set-credentials bot --token="$(kubectl create token bot)"',
    "kubectl --user bot auth whoami -o jsonpath='{.status.userInfo.username}'",
    "kubectl --user bot get configmaps a b",
    "kubectl --user bot get secrets",
    "kubectl --user bot delete pod a",
    'kubectl config set-credentials vault --token="$(kubectl create token bot --audience vault)"',
    "kubectl --user vault get configmaps",
    "kubectl config set-credentials wrong --token=wrong",
    "kubectl --user wrong get configmaps",
    "kubectl config set-credentials guest",
    "kubectl --user guest get configmaps",
    "kubectl delete clusterrolebinding access-urls",
    "kubectl delete clusterrole access-urls access-sum",
  ],
};
