import type { Chapter } from "../chapter.js";

const owned = (owner: string): string => `
apiVersion: v1
kind: ConfigMap
metadata: { name: ${owner}, labels: { family: x } }
`;

/** Deletion of objects. */
export const remove: Chapter = {
  name: "delete",
  files: {
    "cm.yaml": owned("a"),
    "two.yaml": `${owned("a")}---\n${owned("b")}`,
    "pod.yaml":
      "apiVersion: v1\nkind: Pod\nmetadata: { name: p, labels: { app: p } }\nspec: { containers: [{ name: c, image: i }] }\n",
    "bound.yaml":
      "apiVersion: v1\nkind: Pod\nmetadata: { name: bound }\nspec: { nodeName: n, containers: [{ name: c, image: i }] }\n",
    "final.yaml": "apiVersion: v1\nkind: ConfigMap\nmetadata: { name: f, finalizers: [example.com/f] }\n",
    "child.sh": `#!/bin/sh
uid=$(kubectl get cm $1 -o jsonpath={.metadata.uid})
kubectl create -f - <<.
apiVersion: v1
kind: ConfigMap
metadata: { name: $1-child, ownerReferences: [{ apiVersion: v1, kind: ConfigMap, name: $1, uid: $uid, blockOwnerDeletion: true }] }
.
`,
  },
  commands: [
    "kubectl delete cm missing",
    "kubectl delete cm missing --ignore-not-found",
    "kubectl create -f two.yaml",
    "kubectl delete -f two.yaml --dry-run=client",
    "kubectl delete -f two.yaml --dry-run=server",
    "kubectl delete -f cm.yaml",
    "kubectl delete -f two.yaml",
    "kubectl delete -f two.yaml --ignore-not-found",
    "kubectl create -f two.yaml",
    "kubectl delete cm -l family=none",
    "kubectl delete cm -l family=x -o name",
    "kubectl create -f two.yaml",
    "kubectl delete cm --field-selector=metadata.name=a",
    "kubectl delete cm --all",
    "kubectl delete cm --all",
    "kubectl delete cm",
    "kubectl delete cm/a secret/b",
    "kubectl delete all --all",
    "kubectl create -f two.yaml && sh child.sh a && sh child.sh b",
    "kubectl delete cm a --cascade=foreground --timeout=20s",
    "kubectl delete cm b --cascade=orphan",
    "kubectl wait --for=delete cm/a-child --timeout=20s",
    "kubectl get cm -o name",
    "kubectl get cm b-child -o jsonpath='{.metadata.ownerReferences}'",
    "kubectl delete cm b-child --cascade=sideways",
    "kubectl create -f cm.yaml && sh child.sh a",
    "kubectl delete cm a --cascade=background && kubectl wait --for=delete cm/a-child --timeout=20s",
    "kubectl create -f pod.yaml -f bound.yaml",
    "kubectl delete pod p",
    "kubectl delete pod bound --wait=false",
    "kubectl get pod bound",
    "kubectl get pod bound -o jsonpath='{.metadata.deletionGracePeriodSeconds}'",
    "kubectl delete pod bound --timeout=1s",
    "kubectl delete pod bound --now --wait=false",
    "kubectl get pod bound -o jsonpath='{.metadata.deletionGracePeriodSeconds}'",
    "kubectl delete pod bound --force",
    "kubectl create -f bound.yaml && kubectl delete -f bound.yaml --grace-period=5 --wait=false",
    "kubectl delete pod bound --grace-period=0",
    "kubectl delete pod bound --grace-period=0 --force",
    "kubectl create -f bound.yaml && kubectl delete pod --all --force --grace-period=0",
    "kubectl create -f final.yaml && kubectl delete cm f --wait=false",
    "kubectl delete cm f --timeout=1s",
    "kubectl get cm f -o jsonpath='{.metadata.finalizers}'",
    "kubectl create -f final.yaml",
    "kubectl apply -f final.yaml",
    'kubectl patch cm f --type=merge -p \'{"metadata":{"finalizers":null}}\'',
    "kubectl get cm f",
    "kubectl create -f cm.yaml && kubectl delete --raw /api/v1/namespaces/delete/configmaps/a",
    "kubectl delete --raw /api/v1/namespaces/delete/configmaps/a",
    "kubectl delete ns default --wait=false",
    "kubectl delete ns missing",
    "kubectl create ns delete-me && kubectl create cm x -n delete-me && kubectl delete ns delete-me --timeout=30s",
    "kubectl create ns delete-stuck && kubectl apply -f final.yaml -n delete-stuck && kubectl delete ns delete-stuck --timeout=4s",
    "kubectl get ns delete-stuck",
    "kubectl create cm y -n delete-stuck",
    'kubectl patch cm f -n delete-stuck --type=merge -p \'{"metadata":{"finalizers":null}}\' && kubectl wait --for=delete ns/delete-stuck --timeout=30s > /dev/null',
    "kubectl delete svc kubernetes -n default --dry-run=server",
    "kubectl delete deployment,service nothing",
    "kubectl create job j --image=i && kubectl delete job j",
    "kubectl create -f cm.yaml && echo n | kubectl delete cm a -i",
    "echo y | kubectl delete cm a -i",
  ],
};
