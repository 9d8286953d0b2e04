package main

import (
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
)

var groupVersion = schema.GroupVersion{Group: "bench.kubewright.dev", Version: "v1"}

// Widget is the custom resource of both operators.
type Widget struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`
	Spec              WidgetSpec   `json:"spec,omitempty"`
	Status            WidgetStatus `json:"status,omitempty"`
}

// WidgetSpec is the desired state.
type WidgetSpec struct {
	Image    string            `json:"image,omitempty"`
	Replicas int32             `json:"replicas,omitempty"`
	Notes    []string          `json:"notes,omitempty"`
	Settings map[string]string `json:"settings,omitempty"`
}

// WidgetStatus is the observed state.
type WidgetStatus struct {
	ObservedGeneration int64  `json:"observedGeneration,omitempty"`
	Child              string `json:"child,omitempty"`
}

// WidgetList is a list of Widgets.
type WidgetList struct {
	metav1.TypeMeta `json:",inline"`
	metav1.ListMeta `json:"metadata,omitempty"`
	Items           []Widget `json:"items"`
}

// DeepCopyObject makes Widget a runtime.Object.
func (w *Widget) DeepCopyObject() runtime.Object {
	out := *w
	w.ObjectMeta.DeepCopyInto(&out.ObjectMeta)
	out.Spec.Notes = append([]string(nil), w.Spec.Notes...)
	if w.Spec.Settings != nil {
		out.Spec.Settings = make(map[string]string, len(w.Spec.Settings))
		for key, value := range w.Spec.Settings {
			out.Spec.Settings[key] = value
		}
	}
	return &out
}

// DeepCopyObject makes WidgetList a runtime.Object.
func (l *WidgetList) DeepCopyObject() runtime.Object {
	out := *l
	l.ListMeta.DeepCopyInto(&out.ListMeta)
	out.Items = make([]Widget, len(l.Items))
	for index := range l.Items {
		out.Items[index] = *l.Items[index].DeepCopyObject().(*Widget)
	}
	return &out
}

func addToScheme(scheme *runtime.Scheme) {
	scheme.AddKnownTypes(groupVersion, &Widget{}, &WidgetList{})
	metav1.AddToGroupVersion(scheme, groupVersion)
}
