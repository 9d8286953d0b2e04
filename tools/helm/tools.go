//go:build tools

// Package helm names the command that is built from this module, so that `go mod tidy` keeps what it needs. It is a module of its own
// because its Kubernetes libraries are of another version than the control plane's.
package helm

import _ "helm.sh/helm/v4/cmd/helm"
