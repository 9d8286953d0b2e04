/** What the tests run: every workload kind, with probes, volumes and a Service. */
export const manifests = `
apiVersion: v1
kind: ConfigMap
metadata: { name: settings }
data: { greeting: hello }
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
          readinessProbe: { httpGet: { path: /, port: 8080 }, periodSeconds: 1 }
          livenessProbe: { tcpSocket: { port: 8080 } }
          volumeMounts: [{ name: settings, mountPath: /settings }]
      volumes: [{ name: settings, configMap: { name: settings } }]
---
apiVersion: v1
kind: Service
metadata: { name: web }
spec: { selector: { app: web }, ports: [{ port: 80, targetPort: 8080 }] }
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
`;
