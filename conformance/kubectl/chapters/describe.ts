import type { Chapter } from "../chapter.js";

const objects = `
apiVersion: v1
kind: Pod
metadata: { name: full, labels: { app: full }, annotations: { note: x } }
spec:
  nodeName: describe-node
  serviceAccountName: robot
  priorityClassName: system-node-critical
  initContainers: [{ name: init, image: busybox, command: [sh, -c, "true"] }]
  containers:
    - name: main
      image: nginx
      args: [a, b]
      ports: [{ containerPort: 80, name: http }]
      resources: { limits: { cpu: "1", memory: 1Gi }, requests: { cpu: 500m } }
      livenessProbe: { httpGet: { path: /, port: http }, periodSeconds: 3 }
      readinessProbe: { exec: { command: [cat, /x] } }
      startupProbe: { tcpSocket: { port: 80 } }
      env:
        - { name: A, value: b }
        - { name: B, valueFrom: { configMapKeyRef: { name: settings, key: x, optional: true } } }
        - { name: C, valueFrom: { secretKeyRef: { name: keys, key: k } } }
        - { name: D, valueFrom: { fieldRef: { fieldPath: metadata.name } } }
        - { name: E, valueFrom: { resourceFieldRef: { resource: limits.cpu } } }
      envFrom: [{ configMapRef: { name: settings } }, { secretRef: { name: keys }, prefix: S_ }]
      volumeMounts: [{ name: data, mountPath: /data }, { name: conf, mountPath: /conf, readOnly: true, subPath: a }]
  volumes:
    - { name: data, emptyDir: { sizeLimit: 1Gi } }
    - { name: conf, configMap: { name: settings } }
    - { name: sec, secret: { secretName: keys } }
    - { name: claim, persistentVolumeClaim: { claimName: claim } }
    - { name: host, hostPath: { path: /x } }
    - { name: proj, projected: { sources: [{ serviceAccountToken: { path: t } }, { configMap: { name: settings } }, { downwardAPI: { items: [{ path: l, fieldRef: { fieldPath: metadata.labels } }] } }] } }
  tolerations: [{ key: k, operator: Exists, effect: NoSchedule }]
  topologySpreadConstraints: [{ maxSkew: 1, topologyKey: zone, whenUnsatisfiable: DoNotSchedule, labelSelector: { matchLabels: { app: full } } }]
  nodeSelector: { disk: ssd }
---
apiVersion: v1
kind: Node
metadata: { name: describe-node, labels: { kubernetes.io/hostname: describe-node, node-role.kubernetes.io/worker: "" } }
spec: { podCIDR: 10.1.0.0/24, taints: [{ key: k, value: v, effect: NoSchedule }] }
---
apiVersion: v1
kind: PersistentVolume
metadata: { name: describe-volume }
spec: { capacity: { storage: 1Gi }, accessModes: [ReadWriteOnce], hostPath: { path: /x }, storageClassName: slow, persistentVolumeReclaimPolicy: Retain }
---
apiVersion: v1
kind: PersistentVolumeClaim
metadata: { name: claim }
spec: { accessModes: [ReadWriteOnce], resources: { requests: { storage: 1Gi } }, storageClassName: slow }
---
apiVersion: storage.k8s.io/v1
kind: StorageClass
metadata: { name: describe-class, annotations: { storageclass.kubernetes.io/is-default-class: "true" } }
provisioner: example.com/p
parameters: { a: b }
allowVolumeExpansion: true
---
apiVersion: v1
kind: Service
metadata: { name: web }
spec: { type: LoadBalancer, selector: { app: full }, externalTrafficPolicy: Local, sessionAffinity: ClientIP, ports: [{ port: 80, name: http, targetPort: http }], loadBalancerSourceRanges: [1.2.3.0/24] }
---
apiVersion: discovery.k8s.io/v1
kind: EndpointSlice
metadata: { name: web-1, labels: { kubernetes.io/service-name: web } }
addressType: IPv4
endpoints: [{ addresses: [1.2.3.4], conditions: { ready: true }, nodeName: describe-node, targetRef: { kind: Pod, name: full } }]
ports: [{ name: http, port: 80, protocol: TCP }]
---
apiVersion: v1
kind: Endpoints
metadata: { name: manual }
subsets: [{ addresses: [{ ip: 1.2.3.4 }], notReadyAddresses: [{ ip: 1.2.3.5 }], ports: [{ port: 80 }] }]
---
apiVersion: networking.k8s.io/v1
kind: Ingress
metadata: { name: web }
spec:
  ingressClassName: describe-class
  tls: [{ hosts: [a.example.com], secretName: t }]
  rules: [{ host: a.example.com, http: { paths: [{ path: /, pathType: Prefix, backend: { service: { name: web, port: { name: http } } } }, { path: /r, pathType: Exact, backend: { resource: { apiGroup: example.com, kind: X, name: why } } }] } }]
---
apiVersion: networking.k8s.io/v1
kind: IngressClass
metadata: { name: describe-class }
spec: { controller: example.com/c, parameters: { apiGroup: example.com, kind: P, name: p } }
---
apiVersion: networking.k8s.io/v1
kind: NetworkPolicy
metadata: { name: deny }
spec:
  podSelector: { matchLabels: { app: full } }
  policyTypes: [Ingress, Egress]
  ingress: [{ from: [{ podSelector: { matchLabels: { a: b } } }, { ipBlock: { cidr: 1.0.0.0/8, except: [1.2.0.0/16] } }], ports: [{ port: 80, protocol: TCP }, { port: 8000, endPort: 8010 }] }]
---
apiVersion: v1
kind: ResourceQuota
metadata: { name: quota }
spec: { hard: { pods: "10", requests.cpu: "4", limits.memory: 10Gi, count/deployments.apps: "3" }, scopeSelector: { matchExpressions: [{ scopeName: PriorityClass, operator: In, values: [high] }] } }
---
apiVersion: v1
kind: LimitRange
metadata: { name: limits }
spec: { limits: [{ type: Container, default: { cpu: 500m }, defaultRequest: { cpu: 250m }, max: { cpu: "2" }, min: { cpu: 10m } }, { type: Pod, max: { memory: 2Gi }, maxLimitRequestRatio: { memory: "4" } }, { type: PersistentVolumeClaim, min: { storage: 1Gi } }] }
---
apiVersion: autoscaling/v2
kind: HorizontalPodAutoscaler
metadata: { name: hpa }
spec:
  scaleTargetRef: { apiVersion: apps/v1, kind: Deployment, name: web }
  minReplicas: 2
  maxReplicas: 9
  metrics:
    - { type: Resource, resource: { name: cpu, target: { type: Utilization, averageUtilization: 60 } } }
    - { type: Resource, resource: { name: memory, target: { type: AverageValue, averageValue: 100Mi } } }
    - { type: Pods, pods: { metric: { name: hits }, target: { type: AverageValue, averageValue: "10" } } }
    - { type: Object, object: { describedObject: { kind: Service, name: web }, metric: { name: rate }, target: { type: Value, value: "5" } } }
    - { type: External, external: { metric: { name: queue, selector: { matchLabels: { q: a } } }, target: { type: AverageValue, averageValue: "30" } } }
    - { type: ContainerResource, containerResource: { name: cpu, container: main, target: { type: Utilization, averageUtilization: 70 } } }
  behavior: { scaleDown: { stabilizationWindowSeconds: 60, policies: [{ type: Percent, value: 10, periodSeconds: 60 }] } }
---
apiVersion: v1
kind: ServiceAccount
metadata: { name: robot }
imagePullSecrets: [{ name: pull }]
secrets: [{ name: keys }]
---
apiVersion: v1
kind: Secret
metadata: { name: keys }
stringData: { k: v }
---
apiVersion: v1
kind: PodTemplate
metadata: { name: template }
template: { metadata: { labels: { a: b } }, spec: { containers: [{ name: c, image: i }] } }
---
apiVersion: apps/v1
kind: ControllerRevision
metadata: { name: revision }
revision: 3
data: { a: b }
---
apiVersion: coordination.k8s.io/v1
kind: Lease
metadata: { name: lease }
spec: { holderIdentity: me, leaseDurationSeconds: 15, renewTime: "2020-01-02T03:04:05.000000Z" }
---
apiVersion: batch/v1
kind: Job
metadata: { name: job }
spec: { completions: 4, parallelism: 2, completionMode: Indexed, backoffLimitPerIndex: 1, activeDeadlineSeconds: 60, template: { spec: { restartPolicy: Never, containers: [{ name: c, image: i }] } } }
---
apiVersion: batch/v1
kind: CronJob
metadata: { name: cron }
spec: { schedule: "0 * * * *", timeZone: Etc/UTC, suspend: true, concurrencyPolicy: Forbid, jobTemplate: { spec: { template: { spec: { restartPolicy: OnFailure, containers: [{ name: c, image: i }] } } } } }
---
apiVersion: storage.k8s.io/v1
kind: CSIDriver
metadata: { name: describe.example.com }
spec: { attachRequired: false }
---
apiVersion: storage.k8s.io/v1
kind: CSINode
metadata: { name: describe-node }
spec: { drivers: [{ name: describe.example.com, nodeID: x, topologyKeys: [zone], allocatable: { count: 3 } }] }
---
apiVersion: storage.k8s.io/v1
kind: VolumeAttachment
metadata: { name: describe-attachment }
spec: { attacher: describe.example.com, nodeName: describe-node, source: { persistentVolumeName: describe-volume } }
---
apiVersion: storage.k8s.io/v1
kind: CSIStorageCapacity
metadata: { name: capacity }
storageClassName: describe-class
capacity: 10Gi
---
apiVersion: storage.k8s.io/v1
kind: VolumeAttributesClass
metadata: { name: describe-attributes }
driverName: describe.example.com
parameters: { a: b }
---
apiVersion: node.k8s.io/v1
kind: RuntimeClass
metadata: { name: describe-runtime }
handler: runsc
overhead: { podFixed: { cpu: 10m } }
---
apiVersion: apps/v1
kind: Deployment
metadata: { name: web }
spec:
  minReadySeconds: 5
  strategy: { type: Recreate }
  selector: { matchLabels: { app: web }, matchExpressions: [{ key: x, operator: DoesNotExist }] }
  template: { metadata: { labels: { app: web } }, spec: { containers: [{ name: c, image: i }] } }
---
apiVersion: policy/v1
kind: PodDisruptionBudget
metadata: { name: budget }
spec: { maxUnavailable: 1, selector: { matchLabels: { app: web } } }
---
apiVersion: v1
kind: Event
metadata: { name: full.1 }
involvedObject: { apiVersion: v1, kind: Pod, name: full, namespace: describe }
reason: Pulled
message: Image was pulled
type: Normal
source: { component: kubelet, host: describe-node }
firstTimestamp: "2020-01-02T03:04:05Z"
lastTimestamp: "2020-01-02T03:05:05Z"
count: 3
---
apiVersion: v1
kind: Event
metadata: { name: web.1 }
involvedObject: { apiVersion: apps/v1, kind: Deployment, name: web, namespace: describe }
reason: Failing
message: Something went wrong
type: Warning
firstTimestamp: "2020-01-02T03:04:05Z"
lastTimestamp: "2020-01-02T03:04:05Z"
count: 1
---
apiVersion: events.k8s.io/v1
kind: Event
metadata: { name: full.2 }
regarding: { apiVersion: v1, kind: Pod, name: full, namespace: describe }
reason: Started
note: A new event
type: Normal
action: Start
reportingController: example.com/c
reportingInstance: c-1
eventTime: "2020-01-02T03:04:05.000000Z"
`;
const inNamespace = [
  "pods,pvc,services,endpointslices,endpoints,ingresses",
  "networkpolicies,resourcequotas,limitranges,hpa,serviceaccounts,secrets",
  "podtemplates,controllerrevisions,leases,jobs,cronjobs,csistoragecapacities,deployments,pdb,events",
];
const inCluster =
  "node/describe-node csinode/describe-node pv/describe-volume sc/describe-class ingressclass/describe-class csidriver/describe.example.com volumeattachment/describe-attachment volumeattributesclass/describe-attributes runtimeclass/describe-runtime";

/** One object of nearly every kind: `get`, `get -o wide`, `get -o yaml`, `describe`. */
export const describe: Chapter = {
  name: "describe",
  files: { "objects.yaml": objects },
  commands: [
    "kubectl create -f objects.yaml",
    ...[...inNamespace, inCluster].flatMap((what) => [`kubectl get ${what} -o wide`, `kubectl describe ${what}`]),
    "kubectl get -f objects.yaml -o yaml",
    "kubectl apply -f objects.yaml",
    "kubectl apply --server-side -f objects.yaml --force-conflicts",
    "kubectl get -f objects.yaml -o yaml --show-managed-fields | grep -v ' time: '",
    "kubectl describe pod fu",
    "kubectl describe pod nothing",
    "kubectl describe pods -l app=full --show-events=false",
    "kubectl describe ns describe | sort",
    "kubectl events",
    "kubectl events --for pod/full",
    "kubectl events --types=Warning",
    "kubectl events --types=Other",
    "kubectl events -o name",
    "kubectl events --no-headers",
    "kubectl get events.events.k8s.io",
    "kubectl get events --sort-by=.metadata.name -o custom-columns=N:.metadata.name,R:.reason",
    "kubectl delete -f objects.yaml --wait=false --force",
    "kubectl get nodes,pv,pvc",
  ],
};
