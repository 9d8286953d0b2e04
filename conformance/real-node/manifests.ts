/** What the tests run: every workload kind, with probes, volumes and Services. */
export const manifests = `
apiVersion: v1
kind: ConfigMap
metadata: { name: settings }
data: { greeting: hello }
---
apiVersion: v1
kind: Secret
metadata: { name: password }
stringData: { value: swordfish }
---
apiVersion: apps/v1
kind: Deployment
metadata: { name: web }
spec:
  replicas: 3
  selector: { matchLabels: { app: web } }
  template:
    metadata: { labels: { app: web } }
    spec:
      terminationGracePeriodSeconds: 3
      containers:
        - name: web
          image: example.com/web:1
          ports: [{ containerPort: 8080 }]
          readinessProbe: { httpGet: { path: /ready, port: 8080 }, periodSeconds: 1 }
          livenessProbe: { tcpSocket: { port: 8080 } }
          volumeMounts: [{ name: settings, mountPath: /settings }, { name: password, mountPath: /password }]
      volumes: [{ name: settings, configMap: { name: settings } }, { name: password, secret: { secretName: password } }]
---
apiVersion: v1
kind: Service
metadata: { name: web }
spec: { selector: { app: web }, type: NodePort, ports: [{ port: 80, targetPort: 8080 }] }
---
apiVersion: v1
kind: Service
metadata: { name: sticky }
spec: { selector: { app: web }, sessionAffinity: ClientIP, ports: [{ port: 80, targetPort: 8080 }] }
---
apiVersion: batch/v1
kind: Job
metadata: { name: once }
spec:
  template:
    spec:
      restartPolicy: Never
      containers: [{ name: once, image: example.com/web:1, args: [echo, done] }]
---
apiVersion: batch/v1
kind: CronJob
metadata: { name: every-minute }
spec:
  schedule: "* * * * *"
  concurrencyPolicy: Forbid
  jobTemplate:
    spec:
      template:
        metadata: { labels: { app: every-minute } }
        spec:
          restartPolicy: Never
          containers: [{ name: echo, image: example.com/web:1, args: [echo, minute] }]
---
apiVersion: rbac.authorization.k8s.io/v1
kind: RoleBinding
metadata: { name: default-view }
roleRef: { apiGroup: rbac.authorization.k8s.io, kind: ClusterRole, name: view }
subjects: [{ kind: ServiceAccount, name: default, namespace: default }]
---
apiVersion: batch/v1
kind: Job
metadata: { name: in-cluster }
spec:
  template:
    spec:
      restartPolicy: Never
      containers: [{ name: list, image: example.com/list:1 }]
---
apiVersion: batch/v1
kind: Job
metadata: { name: client-go }
spec:
  template:
    metadata: { labels: { app: client-go } }
    spec:
      restartPolicy: Never
      containers: [{ name: list, image: example.com/list-pods:1 }]
---
apiVersion: apps/v1
kind: DaemonSet
metadata: { name: agent }
spec:
  selector: { matchLabels: { app: agent } }
  template:
    metadata: { labels: { app: agent } }
    spec:
      terminationGracePeriodSeconds: 3
      containers:
        - name: agent
          image: example.com/web:1
          volumeMounts: [{ name: settings, mountPath: /settings }]
      volumes: [{ name: settings, configMap: { name: settings } }]
---
apiVersion: v1
kind: Service
metadata: { name: store }
spec: { clusterIP: None, publishNotReadyAddresses: true, selector: { app: store }, ports: [{ port: 8080 }] }
---
# Its pods are never ready, like members of a cluster that has no quorum yet.
apiVersion: apps/v1
kind: StatefulSet
metadata: { name: store }
spec:
  serviceName: store
  replicas: 2
  podManagementPolicy: Parallel
  selector: { matchLabels: { app: store } }
  template:
    metadata: { labels: { app: store } }
    spec:
      terminationGracePeriodSeconds: 3
      containers:
        - name: store
          image: example.com/web:1
          readinessProbe: { tcpSocket: { port: 1 } }
          volumeMounts: [{ name: data, mountPath: /data }, { name: settings, mountPath: /settings }]
      volumes: [{ name: settings, configMap: { name: settings } }]
  volumeClaimTemplates:
    - metadata: { name: data }
      spec: { accessModes: [ReadWriteOnce], resources: { requests: { storage: 1Gi } } }
`;

/** Two pods with a ConfigMap volume and a readiness probe, behind a Service. */
export function webPods(tolerations = "[]"): string {
  return `apiVersion: v1
kind: ConfigMap
metadata: { name: settings }
data: { greeting: hello }
---
apiVersion: apps/v1
kind: Deployment
metadata: { name: web }
spec:
  replicas: 2
  selector: { matchLabels: { app: web } }
  template:
    metadata: { labels: { app: web } }
    spec:
      terminationGracePeriodSeconds: 1
      containers:
        - name: web
          image: example.com/web:1
          readinessProbe: { httpGet: { path: /ready, port: 8080 }, periodSeconds: 1 }
          volumeMounts: [{ name: settings, mountPath: /settings }]
      volumes: [{ name: settings, configMap: { name: settings } }]
      tolerations: ${tolerations}
---
apiVersion: v1
kind: Service
metadata: { name: web }
spec: { selector: { app: web }, ports: [{ port: 80, targetPort: 8080 }] }
`;
}
