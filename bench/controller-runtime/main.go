// A small operator on controller-runtime, written as its documentation recommends, with which Kubewright is compared.
//
// It prints one JSON object per line: an event and its wall-clock time in milliseconds.
package main

import (
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"sync"
	"sync/atomic"
	"time"

	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	clientgoscheme "k8s.io/client-go/kubernetes/scheme"
	"k8s.io/client-go/tools/clientcmd"

	"github.com/go-logr/logr"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/controller"
	"sigs.k8s.io/controller-runtime/pkg/controller/controllerutil"
	"sigs.k8s.io/controller-runtime/pkg/metrics/server"
)

var out sync.Mutex

func printLine(line map[string]any) {
	line["atMs"] = float64(time.Now().UnixNano()) / 1e6
	text, _ := json.Marshal(line)
	out.Lock()
	defer out.Unlock()
	fmt.Println(string(text))
}

type reconciler struct {
	client.Client
	children bool
	report   bool
	objects  int64
	first    sync.Once
	done     sync.Map
	finished atomic.Int64
	errors   atomic.Int64
	conflict atomic.Int64
}

func (r *reconciler) Reconcile(ctx context.Context, request ctrl.Request) (ctrl.Result, error) {
	r.first.Do(func() { printLine(map[string]any{"event": "first"}) })
	if r.report {
		printLine(map[string]any{"event": "reconcile", "name": request.Name})
	}
	if !r.children {
		return ctrl.Result{}, nil
	}
	err := r.reconcile(ctx, request)
	if err != nil {
		r.errors.Add(1)
		if apierrors.IsConflict(err) || apierrors.IsAlreadyExists(err) {
			r.conflict.Add(1)
		}
	}
	return ctrl.Result{}, err
}

func (r *reconciler) reconcile(ctx context.Context, request ctrl.Request) error {
	var widget Widget
	if err := r.Get(ctx, request.NamespacedName, &widget); err != nil {
		return client.IgnoreNotFound(err)
	}
	child := &corev1.ConfigMap{ObjectMeta: metav1.ObjectMeta{Name: widget.Name, Namespace: widget.Namespace}}
	if _, err := controllerutil.CreateOrUpdate(ctx, r.Client, child, func() error {
		child.Data = map[string]string{"image": widget.Spec.Image}
		return controllerutil.SetControllerReference(&widget, child, r.Scheme())
	}); err != nil {
		return err
	}
	if widget.Status.Child != child.Name || widget.Status.ObservedGeneration != widget.Generation {
		widget.Status.Child = child.Name
		widget.Status.ObservedGeneration = widget.Generation
		if err := r.Status().Update(ctx, &widget); err != nil {
			return err
		}
	}
	if _, known := r.done.LoadOrStore(request.Name, true); !known && r.finished.Add(1) == r.objects {
		printLine(map[string]any{"event": "finished", "errors": r.errors.Load(), "conflicts": r.conflict.Load()})
	}
	return nil
}

func main() {
	kubeconfig := flag.String("kubeconfig-file", "", "path of the kubeconfig")
	workers := flag.Int("workers", 1, "maximum concurrent reconciles")
	children := flag.Bool("children", false, "create a ConfigMap and update the status of each object")
	objects := flag.Int64("objects", 0, "number of objects")
	report := flag.Bool("report", false, "print each reconcile")
	queue := flag.Bool("queue", false, "measure only the work queues")
	webhookPort := flag.Int("webhook-port", 0, "serve only the webhooks, on this port")
	webhookCerts := flag.String("webhook-certs", "", "folder of the serving certificate")
	flag.Parse()

	if *queue {
		measureQueues(10_000, 10)
		return
	}
	ctrl.SetLogger(logr.Discard())
	scheme := runtime.NewScheme()
	addToScheme(scheme)
	if *webhookPort != 0 {
		serveWebhooks(scheme, *webhookPort, *webhookCerts)
		return
	}
	config, err := clientcmd.BuildConfigFromFlags("", *kubeconfig)
	check(err)
	// No client-side rate limit.
	config.QPS = -1
	check(clientgoscheme.AddToScheme(scheme))
	manager, err := ctrl.NewManager(config, ctrl.Options{Scheme: scheme, Metrics: server.Options{BindAddress: "0"}})
	check(err)
	r := &reconciler{Client: manager.GetClient(), children: *children, objects: *objects, report: *report}
	builder := ctrl.NewControllerManagedBy(manager).For(&Widget{}).
		WithOptions(controller.Options{MaxConcurrentReconciles: *workers})
	if *children {
		builder = builder.Owns(&corev1.ConfigMap{})
	}
	check(builder.Complete(r))
	printLine(map[string]any{"event": "starting"})
	check(manager.Start(ctrl.SetupSignalHandler()))
}

func check(err error) {
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}
