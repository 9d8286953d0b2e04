import type { Chapter } from "../chapter.js";

const definition = `
apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: { name: torches.helm.example.com }
spec:
  group: helm.example.com
  names: { kind: Torch, plural: torches }
  scope: Namespaced
  versions:
    - name: v1
      served: true
      storage: true
      subresources: { status: {} }
      schema:
        openAPIV3Schema:
          type: object
          properties:
            spec: { type: object, properties: { color: { type: string, enum: [red, green] }, power: { type: integer, default: 5 } } }
            status: { type: object, x-kubernetes-preserve-unknown-fields: true }
`;
const object = (apiVersion: string, kind: string, rest: string, metadata = ""): string =>
  `apiVersion: ${apiVersion}\nkind: ${kind}\nmetadata: { name: "{{ .Release.Name }}"${metadata} }\n${rest}\n`;
const hook = (name: string, when: string): string =>
  `apiVersion: v1\nkind: ConfigMap\nmetadata: { name: "{{ .Release.Name }}-${name}", annotations: { helm.sh/hook: ${when}, helm.sh/hook-delete-policy: before-hook-creation } }\ndata: { when: "{{ .Release.Revision }}" }\n`;

const chart = {
  "chart/Chart.yaml": "apiVersion: v2\nname: lamp\nversion: 1.2.3\nappVersion: '9'\ndescription: A lamp\n",
  "chart/values.yaml": "color: red\nreplicas: 1\nextra: false\nport: 80\n",
  "chart/crds/torches.yaml": definition,
  "chart/templates/NOTES.txt": "Shines {{ .Values.color }} on {{ .Capabilities.KubeVersion.Major }}\n",
  "chart/templates/torch.yaml": object("helm.example.com/v1", "Torch", "spec: { color: {{ .Values.color | quote }} }"),
  "chart/templates/settings.yaml": `${object("v1", "ConfigMap", 'data: { color: {{ .Values.color | quote }}, has: {{ .Capabilities.APIVersions.Has "apps/v1/Deployment" | quote }} }', ", labels: { app: lamp }")}---\n${object("v1", "Secret", "stringData: { token: {{ .Values.color | quote }} }")}`,
  "chart/templates/web.yaml": object(
    "apps/v1",
    "Deployment",
    "spec:\n  replicas: {{ .Values.replicas }}\n  selector: { matchLabels: { app: lamp } }\n  template: { metadata: { labels: { app: lamp } }, spec: { containers: [{ name: main, image: nginx, ports: [{ containerPort: {{ .Values.port }} }] }] } }",
  ),
  "chart/templates/service.yaml": object(
    "v1",
    "Service",
    "spec: { selector: { app: lamp }, ports: [{ port: {{ .Values.port }}, name: http }] }",
  ),
  "chart/templates/more.yaml": `{{- if .Values.extra }}\n${object("v1", "ServiceAccount", "")}---\n${object("rbac.authorization.k8s.io/v1", "Role", "rules: [{ apiGroups: [''], resources: [pods], verbs: [get] }]")}---\n${object("v1", "ConfigMap", "data: { a: b }").replace("{{ .Release.Name }}", "{{ .Release.Name }}-extra")}{{- end }}\n`,
  "chart/templates/looked.yaml": `{{- $old := lookup "v1" "ConfigMap" .Release.Namespace "seen" }}\n${object("v1", "ConfigMap", 'data: { seen: {{ (($old).data).a | default "none" | quote }} }').replace("{{ .Release.Name }}", "{{ .Release.Name }}-looked")}`,
  "chart/templates/hooks.yaml": [
    hook("pre", "pre-install,pre-upgrade"),
    hook("post", "post-install"),
    hook("rolled", "pre-rollback,post-rollback"),
    hook("gone", "post-delete"),
    hook("test", "test"),
  ].join("---\n"),
};

/** Releases of a chart. */
export const helm: Chapter = {
  name: "helm",
  files: {
    ...chart,
    "broken/Chart.yaml": "apiVersion: v2\nname: broken\nversion: 0.1.0\n",
    "broken/templates/x.yaml": "apiVersion: v1\nkind: ConfigMap\nmetadata: { name: broken }\nspec: {}\n",
  },
  commands: [
    "kubectl create configmap seen --from-literal=a=b",
    "helm list",
    "helm install lamp chart --dry-run=server",
    "helm install lamp chart",
    "kubectl get all,cm,secret,sa",
    "kubectl get torch,cm,secret,deploy,svc -o yaml --show-managed-fields | grep -v 'release: \\|time: '",
    "helm install lamp chart",
    "helm list",
    "helm list -o yaml | grep -v updated",
    "helm status lamp | grep -c .",
    "helm get all lamp | grep -v LAST",
    "helm history lamp",
    "helm upgrade lamp chart --set color=green,replicas=3,extra=true",
    "kubectl get all,cm,secret,sa,role",
    "kubectl get torch,deploy,svc -o yaml --show-managed-fields | grep -v 'time: '",
    "helm upgrade lamp chart --set color=blue",
    "helm upgrade lamp chart --set color=blue --rollback-on-failure --timeout=2s",
    "helm upgrade lamp chart --set replicas=many",
    "helm upgrade lamp chart --set port=0 --rollback-on-failure --timeout=2s",
    "helm history lamp",
    "helm rollback lamp 1",
    "helm rollback lamp 77",
    "kubectl get all,cm,secret,sa,role",
    "kubectl get deploy lamp -o jsonpath='{.spec.replicas}'",
    'kubectl patch cm lamp --type=merge -p \'{"data":{"color":"mine"}}\'',
    "helm upgrade lamp chart",
    "helm upgrade lamp chart --force-conflicts",
    "kubectl get cm lamp -o jsonpath='{.data.color}'",
    "helm upgrade lamp chart --server-side=false --set color=green",
    "kubectl get cm lamp -o yaml --show-managed-fields | grep -v 'time: '",
    "helm upgrade lamp chart --server-side=true --force-conflicts --set color=red",
    "helm upgrade lamp chart --force-replace --server-side=false --set color=green",
    "helm test lamp",
    "kubectl create configmap other-taken",
    "helm upgrade --install fresh chart --server-side=false",
    "helm upgrade --install fresh chart --dry-run=server --set replicas=2",
    "kubectl create service clusterip taken --tcp=80",
    "helm install taken chart",
    "helm install taken chart --take-ownership",
    "helm list --short",
    "helm install waited chart --wait --timeout=2s",
    "helm install atomic chart --rollback-on-failure --timeout=2s --wait=legacy",
    "helm uninstall waited --wait --timeout=5s",
    "helm uninstall lamp --keep-history",
    "helm status lamp",
    "helm list --uninstalled",
    "helm uninstall lamp",
    "helm uninstall lamp",
    "helm uninstall fresh --cascade=foreground",
    "helm uninstall taken",
    "helm uninstall nothing",
    "helm install there chart -n helm-new --create-namespace",
    "kubectl get all,cm -n helm-new",
    "helm uninstall there -n helm-new",
    "kubectl delete ns helm-new",
    "helm install b broken",
    "helm install no-crds chart --skip-crds",
    "helm uninstall no-crds",
    "helm template lamp chart --validate 2>&1 | head -20",
    "helm template lamp chart --dry-run=server | grep -A2 looked",
    "helm template lamp chart --api-versions=x/v1 --kube-version=1.30 | tail -5",
    "helm rollback missing",
    "kubectl get all,cm,secret,torch",
  ],
};
