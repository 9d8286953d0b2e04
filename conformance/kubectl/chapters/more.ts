import type { Chapter } from "../chapter.js";

const web = `
apiVersion: apps/v1
kind: Deployment
metadata: { name: web, annotations: { deployment.kubernetes.io/revision: "2" } }
spec:
  replicas: 2
  selector: { matchLabels: { app: web } }
  template: { metadata: { labels: { app: web } }, spec: { containers: [{ name: main, image: "nginx:2" }] } }
`;
/** The ReplicaSets that the Deployment controller would have created. */
const replicaSets = `#!/bin/sh
uid=$(kubectl get deployment web -o jsonpath={.metadata.uid})
for n in 1 2; do kubectl create -f - <<.
apiVersion: apps/v1
kind: ReplicaSet
metadata:
  name: web-$n
  labels: { app: web, pod-template-hash: h$n }
  annotations: { deployment.kubernetes.io/revision: "$n", kubernetes.io/change-cause: "change $n" }
  ownerReferences: [{ apiVersion: apps/v1, kind: Deployment, name: web, uid: $uid, controller: true, blockOwnerDeletion: true }]
spec:
  replicas: 1
  selector: { matchLabels: { app: web, pod-template-hash: h$n } }
  template: { metadata: { labels: { app: web, pod-template-hash: h$n } }, spec: { containers: [{ name: main, image: "nginx:$n" }] } }
.
done
`;
const revisions = `#!/bin/sh
uid=$(kubectl get statefulset db -o jsonpath={.metadata.uid})
for n in 1 2; do kubectl create -f - <<.
apiVersion: apps/v1
kind: ControllerRevision
metadata:
  name: db-$n
  labels: { app: db }
  ownerReferences: [{ apiVersion: apps/v1, kind: StatefulSet, name: db, uid: $uid, controller: true }]
revision: $n
data: { spec: { template: { $patch: replace, metadata: { labels: { app: db } }, spec: { containers: [{ name: main, image: "pg:$n" }] } } } }
.
done
`.replace("$patch", "\\$patch");

/** Less common commands. */
export const more: Chapter = {
  name: "more",
  files: {
    "web.yaml": web,
    "sets.sh": replicaSets,
    "db.yaml": `
apiVersion: apps/v1
kind: StatefulSet
metadata: { name: db }
spec:
  serviceName: db
  selector: { matchLabels: { app: db } }
  template: { metadata: { labels: { app: db } }, spec: { containers: [{ name: main, image: "pg:2" }] } }
`,
    "revisions.sh": revisions,
    "eviction.json": '{"apiVersion":"policy/v1","kind":"Eviction","metadata":{"name":"loose"}}',
    "binding.yaml":
      "apiVersion: v1\nkind: Binding\nmetadata: { name: loose }\ntarget: { kind: Node, name: some-node }\n",
    "token.json":
      '{"apiVersion":"authentication.k8s.io/v1","kind":"TokenRequest","spec":{"expirationSeconds":700,"audiences":["a"]}}',
    "scale.json":
      '{"apiVersion":"autoscaling/v1","kind":"Scale","metadata":{"name":"web","namespace":"more"},"spec":{"replicas":7}}',
    "scale.yaml":
      "apiVersion: autoscaling/v1\nkind: Scale\nmetadata: { name: web, namespace: more }\nspec: { replicas: 7 }\n",
    "fixed.yaml": "apiVersion: v1\nkind: ConfigMap\nmetadata: { name: fixed }\nimmutable: true\ndata: { a: b }\n",
    "fixed-2.yaml": "apiVersion: v1\nkind: ConfigMap\nmetadata: { name: fixed }\nimmutable: true\ndata: { a: c }\n",
    "many.sh": `#!/bin/sh
for n in $(seq 1 30); do printf -- '---\\napiVersion: v1\\nkind: ConfigMap\\nmetadata: { name: many-%s, labels: { many: x } }\\n' $n; done
`,
    "old.yaml": "apiVersion: v1\nkind: Endpoints\nmetadata: { name: old }\n",
    "job.yaml":
      "apiVersion: batch/v1\nkind: Job\nmetadata: { name: j }\nspec: { template: { spec: { restartPolicy: Never, containers: [{ name: c, image: i }] } } }\n",
    "job-2.yaml":
      "apiVersion: batch/v1\nkind: Job\nmetadata: { name: j }\nspec: { completions: 3, template: { spec: { restartPolicy: Never, containers: [{ name: c, image: j }] } } }\n",
    "claim.yaml":
      "apiVersion: v1\nkind: PersistentVolumeClaim\nmetadata: { name: c }\nspec: { accessModes: [ReadWriteOnce], resources: { requests: { storage: 1Gi } } }\n",
    "claim-2.yaml":
      "apiVersion: v1\nkind: PersistentVolumeClaim\nmetadata: { name: c }\nspec: { accessModes: [ReadWriteMany], resources: { requests: { storage: 2Gi } } }\n",
    "service.yaml":
      "apiVersion: v1\nkind: Service\nmetadata: { name: s }\nspec: { clusterIP: None, ports: [{ port: 80 }] }\n",
    "service-2.yaml":
      "apiVersion: v1\nkind: Service\nmetadata: { name: s }\nspec: { clusterIP: 10.0.0.77, ports: [{ port: 80 }, { port: 81 }] }\n",
  },
  commands: [
    "kubectl apply -f web.yaml && sh sets.sh",
    "kubectl rollout history deployment web",
    "kubectl rollout history deployment web --revision=1",
    "kubectl rollout history deployment web -o yaml | head -5",
    "kubectl rollout history deployment web --revision=9",
    "kubectl rollout undo deployment web --dry-run=server",
    "kubectl rollout undo deployment web --dry-run=client",
    "kubectl rollout undo deployment web",
    "kubectl rollout undo deployment web --to-revision=2",
    "kubectl get deployment web -o jsonpath='{.spec.template.spec.containers[0].image}'",
    'kubectl patch deployment web --subresource=status --type=merge -p \'{"status":{"observedGeneration":9,"replicas":2,"updatedReplicas":2,"readyReplicas":1,"availableReplicas":1,"unavailableReplicas":1,"conditions":[{"type":"Progressing","status":"True","reason":"R","message":"m"}]}}\'',
    "kubectl rollout status deployment web --watch=false",
    "kubectl describe deployment web",
    "kubectl get deployment,rs -o wide",
    'kubectl patch deployment web --subresource=status --type=merge -p \'{"status":{"availableReplicas":2,"readyReplicas":2,"unavailableReplicas":0}}\'',
    "kubectl rollout status deployment web",
    'kubectl patch deployment web --subresource=status --type=merge -p \'{"status":{"conditions":[{"type":"Progressing","status":"False","reason":"ProgressDeadlineExceeded"}]}}\' && kubectl rollout status deployment web',
    "kubectl apply -f db.yaml && sh revisions.sh",
    "kubectl rollout history sts db",
    "kubectl rollout history sts db --revision=1",
    "kubectl rollout undo sts db",
    "kubectl get sts db -o jsonpath='{.spec.template.spec.containers[0].image}'",
    "kubectl get --raw /apis/apps/v1/namespaces/more/deployments/web/scale",
    "kubectl replace --raw /apis/apps/v1/namespaces/more/deployments/web/scale -f scale.yaml",
    "kubectl replace --raw /apis/apps/v1/namespaces/more/deployments/web/scale -f scale.json",
    "kubectl delete deployment web --cascade=foreground --timeout=30s",
    "kubectl get rs",
    "kubectl run loose --image=i",
    "kubectl create --raw /api/v1/namespaces/more/pods/loose/binding -f binding.yaml",
    "kubectl create -f binding.yaml",
    "kubectl get pod loose -o jsonpath='{.spec.nodeName} {.status.conditions}'",
    "kubectl create --raw /api/v1/namespaces/more/pods/loose/eviction -f eviction.json",
    "kubectl get pod loose",
    "kubectl create --raw /api/v1/namespaces/more/serviceaccounts/default/token -f token.json",
    "kubectl create sa robot && kubectl create --raw /api/v1/namespaces/more/serviceaccounts/robot/token -f token.json",
    "kubectl apply -f fixed.yaml && kubectl apply -f fixed-2.yaml",
    "kubectl patch cm fixed --type=merge -p '{\"immutable\":false}'",
    "kubectl apply -f job.yaml && kubectl apply -f job-2.yaml",
    "kubectl apply -f job.yaml --force --overwrite=false",
    "kubectl apply -f claim.yaml && kubectl apply -f claim-2.yaml 2>&1 | head -3",
    "kubectl apply -f service.yaml && kubectl apply -f service-2.yaml",
    'kubectl patch sts db -p \'{"spec":{"serviceName":"other"}}\'',
    "kubectl create -f old.yaml --warnings-as-errors",
    "kubectl get endpoints --warnings-as-errors",
    "sh many.sh | kubectl create -f - | wc -l",
    "kubectl get cm -l many=x | wc -l",
    "kubectl get cm -l many=x --chunk-size=7 -o name | sort | tail -2",
    "kubectl get --raw '/api/v1/namespaces/more/configmaps?limit=2&labelSelector=many' | grep -o 'remainingItemCount\":[0-9]*'",
    "kubectl delete cm -l many=x | wc -l",
    "kubectl get cm --server-print=false",
    "kubectl get pods,svc --server-print=false",
    "kubectl create cm kept --save-config --from-literal=a=b && kubectl apply view-last-applied cm kept",
    "kubectl create cm managed --field-manager=me --dry-run=server -o yaml --show-managed-fields",
    "kubectl create deployment strict --image=i --validate=strict -o name",
    "kubectl set image deployment strict i=j --dry-run=server -o jsonpath='{.spec.template.spec.containers[0].image}'",
    "kubectl set resources deployment strict --limits=cpu=1 --local -o yaml -f web.yaml | head -3",
    "kubectl get deployment strict -o yaml | kubectl apply -f -",
    "kubectl get deployment strict -o yaml | sed 's/replicas: 1/replicas: 2/' | kubectl replace -f -",
    'kubectl get deployment strict -o json | sed \'s/"resourceVersion": "[0-9]*"/"resourceVersion": "1"/; s/"replicas": 2/"replicas": 3/\' | kubectl replace -f -',
    'kubectl get deployment strict -o json | sed \'s/"uid": "[^"]*"/"uid": "other"/\' | kubectl replace -f -',
    'kubectl get deployment strict -o json | sed \'s/"resourceVersion": "[0-9]*"/"resourceVersion": "abc"/\' | kubectl replace -f -',
    "kubectl expose deployment strict --port=80 --type=LoadBalancer --external-ip=1.2.3.4 --load-balancer-ip=1.2.3.5 --dry-run=server -o yaml",
    "kubectl expose deployment strict --port=80 --protocol=SCTP --cluster-ip=10.0.0.300",
    "kubectl expose deployment strict --port=80 --cluster-ip=None --name=headless",
    "kubectl autoscale deployment strict --min=1 --max=5 --cpu=50% --dry-run=server -o yaml",
    "kubectl create cronjob c --image=i --schedule='@hourly' --restart=Never",
    "kubectl set image cronjob/c c=j",
    "kubectl set env cronjob/c A=b",
    "kubectl create job from --from=cronjob/c && kubectl get job from -o jsonpath='{.metadata.ownerReferences[0].kind} {.spec.template.spec.containers[0].env}'",
    'kubectl patch cronjob c -p \'{"spec":{"suspend":true}}\' && kubectl get cronjob',
    'kubectl patch job from --type=strategic -p \'{"spec":{"suspend":true,"parallelism":0}}\' && kubectl get job from -o wide',
    "kubectl label --all deployment,cronjob group=x && kubectl get deployment,cronjob -l group=x -o name",
    "kubectl annotate -f web.yaml a=b",
    "kubectl delete job,cronjob,deployment --all",
    "kubectl create ns more-a && kubectl create ns more-b && kubectl create cm x -n more-a && kubectl create cm x -n more-b",
    "kubectl get cm -A --field-selector=metadata.name=x",
    "kubectl get cm -A --field-selector=metadata.name=x --sort-by=.metadata.namespace -o custom-columns=NS:.metadata.namespace,N:.metadata.name --no-headers",
    "kubectl delete cm x -A",
    "kubectl delete ns more-a more-b --timeout=30s",
  ],
};
