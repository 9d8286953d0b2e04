// The program of the init containers of etcd members.
module kubewright.dev/etcd-init

go 1.26.0
