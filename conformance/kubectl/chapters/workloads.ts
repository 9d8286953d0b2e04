import type { Chapter } from "../chapter.js";

/** Pods and workloads, without controllers. */
export const workloads: Chapter = {
  name: "workloads",
  files: {
    "set.yaml": `
apiVersion: apps/v1
kind: StatefulSet
metadata: { name: db }
spec:
  serviceName: db
  selector: { matchLabels: { app: db } }
  template: { metadata: { labels: { app: db } }, spec: { containers: [{ name: main, image: pg }] } }
---
apiVersion: apps/v1
kind: DaemonSet
metadata: { name: agent }
spec:
  selector: { matchLabels: { app: agent } }
  template: { metadata: { labels: { app: agent } }, spec: { containers: [{ name: main, image: agent }] } }
---
apiVersion: apps/v1
kind: ReplicaSet
metadata: { name: rs }
spec:
  replicas: 2
  selector: { matchLabels: { app: rs } }
  template: { metadata: { labels: { app: rs } }, spec: { containers: [{ name: main, image: rs }] } }
---
apiVersion: v1
kind: ReplicationController
metadata: { name: rc }
spec:
  replicas: 1
  template: { metadata: { labels: { app: rc } }, spec: { containers: [{ name: main, image: rc }] } }
`,
  },
  commands: [
    "kubectl run one --image=nginx",
    "kubectl run two --image=nginx --port=80 --expose --labels=app=two,tier=x --env=A=b",
    "kubectl run three --image=busybox --restart=Never --command -- sleep 10",
    "kubectl run one --image=nginx",
    "kubectl run Bad_Name --image=nginx",
    "kubectl run five --image=nginx --dry-run=server -o yaml",
    'kubectl run six --image=nginx --overrides=\'{"spec":{"nodeName":"n","terminationGracePeriodSeconds":1}}\'',
    "kubectl get pods -o wide --show-labels",
    "kubectl get pod two three six -o yaml",
    "kubectl describe pod one three",
    "kubectl get svc two -o yaml",
    "kubectl apply -f set.yaml",
    "kubectl get sts,ds,rs,rc",
    "kubectl get sts,ds,rs,rc -o wide",
    "kubectl get -f set.yaml -o yaml",
    "kubectl describe sts db",
    "kubectl describe ds agent",
    "kubectl describe rs rs",
    "kubectl describe rc rc",
    "kubectl create deployment web --image=nginx --replicas=2 --port=80",
    "kubectl expose deployment web",
    "kubectl expose deployment web --name=web-2 --port=8080 --target-port=http --type=NodePort",
    "kubectl expose deployment web",
    "kubectl expose pod three --port=80",
    "kubectl expose rs rs --port=80 --name=rs --session-affinity=ClientIP",
    "kubectl expose service web --name=web-3 --port=81",
    "kubectl expose configmap x --port=80",
    "kubectl get svc web web-2 web-3 rs -o yaml",
    "kubectl autoscale deployment web --min=1 --max=5 --cpu=80",
    "kubectl autoscale deployment web --min=5 --max=1",
    "kubectl autoscale rs rs --max=3 --memory=50",
    "kubectl get hpa",
    "kubectl get hpa web -o yaml",
    "kubectl describe hpa web",
    "kubectl set image deployment/web nginx=nginx:2",
    "kubectl set image deployment/web nothing=nginx:2",
    "kubectl set image deployment,sts '*=nginx:3' --all",
    "kubectl set image pod/one one=nginx:9",
    "kubectl set env deployment/web A=b C=d",
    "kubectl set env deployment/web A-",
    "kubectl set env deployment/web --list",
    "kubectl create cm settings --from-literal=x=y",
    "kubectl set env deployment/web --from=configmap/settings --prefix=P_",
    "kubectl set env deployment/web --list --resolve",
    "kubectl set env pod/one A=b",
    "kubectl set resources deployment web --limits=cpu=200m,memory=512Mi --requests=cpu=100m,memory=256Mi",
    "kubectl set resources deployment web --limits=cpu=abc",
    "kubectl set resources deployment web --limits=cpu=1 --requests=cpu=2",
    "kubectl set selector service web app=other",
    "kubectl set selector deployment web app=other",
    "kubectl set serviceaccount deployment web robot",
    "kubectl create clusterrolebinding workloads --clusterrole=view --user=a",
    "kubectl set subject clusterrolebinding workloads --user=b --group=c --serviceaccount=x:y",
    "kubectl get clusterrolebinding workloads -o yaml",
    "kubectl get deployment web -o yaml",
    "kubectl describe deployment web",
    "kubectl scale deployment web --replicas=3",
    "kubectl scale deployment web --replicas=4 --current-replicas=1",
    "kubectl scale deployment web --replicas=4 --resource-version=1 2>&1 | sed 's/was [0-9]*/was N/'",
    "kubectl scale deployment/web rs/rs --replicas=5",
    "kubectl scale sts db --replicas=2",
    "kubectl scale rc rc --replicas=0",
    "kubectl scale ds agent --replicas=2",
    "kubectl scale pod one --replicas=2",
    "kubectl scale deployment web --replicas=-1",
    "kubectl scale deployment web --replicas=1",
    "kubectl scale -f set.yaml --replicas=1 --dry-run=server",
    "kubectl get deployment web --subresource=scale -o yaml",
    "kubectl get deployment web --subresource=scale",
    "kubectl get deployment web --subresource=status",
    "kubectl rollout status deployment web --timeout=1s",
    "kubectl rollout status sts db --watch=false",
    "kubectl rollout status deployment missing",
    "kubectl rollout history deployment web",
    "kubectl rollout history deployment web --revision=1",
    "kubectl rollout history sts db",
    "kubectl rollout history ds agent",
    "kubectl rollout undo deployment web",
    "kubectl rollout undo deployment web --to-revision=3",
    "kubectl rollout undo sts db",
    "kubectl rollout pause deployment web",
    "kubectl rollout pause deployment web",
    "kubectl rollout restart deployment web",
    "kubectl rollout resume deployment web",
    "kubectl rollout resume deployment web",
    "kubectl rollout restart deployment web && kubectl get deployment web -o jsonpath='{.spec.template.metadata.annotations}'",
    "kubectl rollout restart sts/db ds/agent",
    "kubectl rollout restart rs rs",
    "kubectl rollout restart -l app=web deployment",
    "kubectl get cj,jobs",
    "kubectl wait --for=condition=Available deployment/web --timeout=1s",
    "kubectl wait --for=jsonpath='{.spec.replicas}'=1 deployment/web --timeout=2s",
    "kubectl wait --for=jsonpath='{.spec.replicas}' deployment/web --timeout=2s",
    "kubectl wait --for=delete pod/missing --timeout=1s",
    "kubectl wait --for=create cm/late --timeout=10s & kubectl create cm late > /dev/null; wait",
    "kubectl wait --for=create cm/never --timeout=1s",
    "kubectl delete cm late --wait=false && kubectl wait --for=delete cm/late --timeout=10s",
    "kubectl wait --for=condition=Ready pod/missing --timeout=1s",
    "kubectl wait --for=condition=Ready pods -l app=none --timeout=1s",
    "kubectl wait --for=nonsense pod/one",
    'kubectl patch pod one --subresource=status -p \'{"status":{"conditions":[{"type":"Ready","status":"True"}]}}\' && kubectl wait --for=condition=Ready pod/one --timeout=2s',
    "kubectl logs one",
    "kubectl logs missing",
    "kubectl logs deployment/web",
    "kubectl logs six -c nothing",
    "kubectl logs six --all-containers",
    "kubectl logs -l app=two",
    "kubectl exec one -- ls",
    "kubectl exec one -c nothing -- ls",
    "kubectl exec missing -- ls",
    "kubectl exec six -it -- sh < /dev/null",
    "kubectl exec deployment/web -- ls",
    "kubectl attach one",
    "kubectl attach missing",
    "kubectl attach six",
    "timeout 3 kubectl port-forward pod/one 0:80",
    "timeout 3 kubectl port-forward service/web 0:80",
    "kubectl port-forward pod/missing 0:80",
    "kubectl cp one:/x y",
    "kubectl debug one --image=busybox --container=dbg --attach=false",
    "kubectl get pod one -o jsonpath='{.spec.ephemeralContainers}'",
    "kubectl debug one --image=busybox --copy-to=copy --attach=false --container=dbg",
    "kubectl debug node/missing --image=busybox",
    "kubectl top pods",
    "kubectl top nodes",
    "kubectl delete -f set.yaml --wait=false",
    "kubectl get all",
  ],
};
