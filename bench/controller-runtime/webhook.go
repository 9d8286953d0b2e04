package main

import (
	"context"
	"crypto/tls"
	"fmt"

	"k8s.io/apimachinery/pkg/runtime"

	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/webhook"
	"sigs.k8s.io/controller-runtime/pkg/webhook/admission"
)

type defaulter struct{}

func (defaulter) Default(_ context.Context, widget *Widget) error {
	if widget.Spec.Replicas == 0 {
		widget.Spec.Replicas = 1
	}
	return nil
}

type validator struct{}

func (validator) ValidateCreate(_ context.Context, widget *Widget) (admission.Warnings, error) {
	if widget.Spec.Replicas > 100 {
		return nil, fmt.Errorf("spec.replicas: must be at most 100")
	}
	return nil, nil
}

func (v validator) ValidateUpdate(ctx context.Context, _, widget *Widget) (admission.Warnings, error) {
	return v.ValidateCreate(ctx, widget)
}

func (validator) ValidateDelete(context.Context, *Widget) (admission.Warnings, error) {
	return nil, nil
}

// serveWebhooks serves a defaulter and a validator of Widgets, without HTTP/2, as kubebuilder's projects do.
func serveWebhooks(scheme *runtime.Scheme, port int, certDir string) {
	server := webhook.NewServer(webhook.Options{
		Host:    "127.0.0.1",
		Port:    port,
		CertDir: certDir,
		TLSOpts: []func(*tls.Config){func(config *tls.Config) { config.NextProtos = []string{"http/1.1"} }},
	})
	server.Register("/mutate-bench-kubewright-dev-v1-widget", admission.WithDefaulter[*Widget](scheme, defaulter{}))
	server.Register("/validate-bench-kubewright-dev-v1-widget", admission.WithValidator[*Widget](scheme, validator{}))
	check(server.Start(ctrl.SetupSignalHandler()))
}
