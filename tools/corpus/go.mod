// CustomResourceDefinitions that well-known projects publish in their Go modules. Tests read them from the module cache; nothing is built
// from them.
module kubewright.dev/corpus

go 1.26.0

require (
	github.com/argoproj/argo-rollouts v1.10.1
	github.com/cert-manager/cert-manager v1.21.2
	github.com/cloudnative-pg/cloudnative-pg v1.25.0
	github.com/crossplane/crossplane v1.18.0
	github.com/elastic/cloud-on-k8s/v3 v3.5.0
	github.com/external-secrets/external-secrets v1.3.2
	github.com/fluxcd/kustomize-controller v1.9.6
	github.com/fluxcd/source-controller v1.9.6
	github.com/kedacore/keda/v2 v2.21.0
	github.com/kubernetes-csi/external-snapshotter/client/v8 v8.0.0
	github.com/kyverno/kyverno v1.19.1
	github.com/longhorn/longhorn-manager v1.7.2
	github.com/prometheus-operator/prometheus-operator v0.85.0
	github.com/rook/rook v1.15.0
	github.com/tektoncd/pipeline v1.0.0
	istio.io/api v1.31.1
	knative.dev/serving v0.42.2
	sigs.k8s.io/cluster-api v1.14.2
	sigs.k8s.io/gateway-api v1.2.1
	sigs.k8s.io/kueue v0.9.0
)
