//go:build tools

// Package etcd imports the commands that are built from this module, so that `go mod tidy` keeps their dependencies.
package etcd

import (
	_ "go.etcd.io/etcd/etcdctl/v3"
	_ "go.etcd.io/etcd/etcdutl/v3"
	_ "go.etcd.io/etcd/server/v3"
)
