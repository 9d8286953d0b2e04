//go:build tools

// Package helm imports the command that is built from this module, so that `go mod tidy` keeps its dependencies. A separate module,
// because helm needs another version of the Kubernetes libraries than the control plane.
package helm

import _ "helm.sh/helm/v4/cmd/helm"
