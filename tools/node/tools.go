//go:build tools

// Package node imports the commands that are built from this module, so that `go mod tidy` keeps their dependencies.
package node

import (
	_ "k8s.io/kubernetes/cmd/kube-proxy"
	_ "k8s.io/kubernetes/cmd/kubelet"
)
