// Command templatehash writes what the hash of a pod template is made of.
//
//	types: the fields of the Go types below PodTemplateSpec in their order, as JSON: by the name of the type, one line for each
//	       field: its name in Go, its name in JSON ("-" where its fields lie flat), its type; and "= type" for other named types.
//	cases: templates as a server gives them, each with its hash, and with the one after a collision.
//
// Run in tools/oracle:
//
//	go run ./facts/templatehash types > ../../packages/cluster/data/template-types.gen.json
//	go run ./facts/templatehash cases > ../../packages/cluster/src/controllers/template-hash/template-hash-cases.gen.json
package main

import (
	"encoding/json"
	"fmt"
	"math/rand"
	"os"
	"reflect"
	"strings"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/util/intstr"
	"k8s.io/kubernetes/pkg/controller"
)

// Types whose inside is not a matter of JSON: their text is made by hand.
var opaque = map[reflect.Type]bool{
	reflect.TypeOf(metav1.Time{}):        true,
	reflect.TypeOf(metav1.FieldsV1{}):    true,
	reflect.TypeOf(resource.Quantity{}):  true,
	reflect.TypeOf(intstr.IntOrString{}): true,
}

func main() {
	var result any
	switch {
	case len(os.Args) == 2 && os.Args[1] == "types":
		found := &types{lines: map[string]string{}, seen: map[string]reflect.Type{}}
		found.add(reflect.TypeOf(corev1.PodTemplateSpec{}))
		result = found.lines
	case len(os.Args) == 2 && os.Args[1] == "cases":
		result = cases()
	default:
		panic("say types or cases")
	}
	encoder := json.NewEncoder(os.Stdout)
	encoder.SetEscapeHTML(false)
	if err := encoder.Encode(result); err != nil {
		panic(err)
	}
}

type types struct {
	lines map[string]string
	seen  map[string]reflect.Type
}

func (t *types) add(one reflect.Type) {
	if one.Name() == "" {
		switch one.Kind() {
		case reflect.Map:
			t.add(one.Key())
			t.add(one.Elem())
		default:
			t.add(one.Elem())
		}
		return
	}
	if one.PkgPath() == "" || opaque[one] {
		return
	}
	if known, ok := t.seen[one.String()]; ok {
		if known != one {
			panic("two types print as " + one.String())
		}
		return
	}
	t.seen[one.String()] = one
	if one.Kind() != reflect.Struct {
		if one.Kind() == reflect.Map {
			t.lines[one.String()] = "= map[" + one.Key().String() + "]" + one.Elem().String()
			t.add(one.Key())
			t.add(one.Elem())
		} else {
			t.lines[one.String()] = "= " + one.Kind().String()
		}
		return
	}
	lines := []string{}
	for i := 0; i < one.NumField(); i++ {
		field := one.Field(i)
		name, _, _ := strings.Cut(field.Tag.Get("json"), ",")
		if name == "" {
			name = "-"
		}
		lines = append(lines, field.Name+" "+name+" "+field.Type.String())
		t.add(field.Type)
	}
	t.lines[one.String()] = strings.Join(lines, "\n")
}

func cases() [][]any {
	random := rand.New(rand.NewSource(7))
	result := [][]any{}
	for i := 0; i < 24; i++ {
		template := corev1.PodTemplateSpec{}
		fill(reflect.ValueOf(&template).Elem(), random, 0)
		template.ObjectMeta = metav1.ObjectMeta{Labels: template.Labels, Annotations: template.Annotations}
		for _, text := range []string{"100m", "128Mi", "1Ti", "100Ti", "3Gi", "2", "0", "1500m", "1G", "12e6", "12345678901234567890", "1500Ki"}[i%12 : i%12+1] {
			quantity := resource.MustParse(text)
			template.Spec.Overhead = corev1.ResourceList{"cpu": quantity}
		}
		// As it comes to a controller: written by the server, read back.
		wire, err := template.Marshal()
		if err != nil {
			panic(err)
		}
		read := corev1.PodTemplateSpec{}
		if err := read.Unmarshal(wire); err != nil {
			panic(err)
		}
		text, err := json.Marshal(read)
		if err != nil {
			panic(err)
		}
		again := corev1.PodTemplateSpec{}
		if err := again.Unmarshal(wire); err != nil {
			panic(err)
		}
		count := int32(i + 1)
		result = append(result, []any{json.RawMessage(text), controller.ComputeHash(&again, nil), controller.ComputeHash(&again, &count)})
	}
	return result
}

var quantities = []string{"100m", "64Mi", "1", "250m", "1Gi", "500Mi", "0", "4k"}

// Sets some fields to some values. What lies deep is set more seldom.
func fill(value reflect.Value, random *rand.Rand, depth int) {
	if !value.CanSet() {
		return
	}
	switch one := value.Addr().Interface().(type) {
	case *metav1.Time:
		return
	case *resource.Quantity:
		*one = resource.MustParse(quantities[random.Intn(len(quantities))])
		return
	case *intstr.IntOrString:
		if *one = intstr.FromInt32(random.Int31n(9000)); random.Intn(2) == 0 {
			*one = intstr.FromString("http")
		}
		return
	}
	rare := depth > 2 && random.Intn(depth+2) != 0
	switch value.Kind() {
	case reflect.Struct:
		for i := 0; i < value.NumField(); i++ {
			fill(value.Field(i), random, depth+1)
		}
	case reflect.Pointer:
		if !rare && random.Intn(3) == 0 {
			value.Set(reflect.New(value.Type().Elem()))
			fill(value.Elem(), random, depth+1)
		}
	case reflect.Slice:
		if value.Type().Elem().Kind() == reflect.Uint8 || rare || random.Intn(2) != 0 {
			return
		}
		count := random.Intn(3)
		value.Set(reflect.MakeSlice(value.Type(), count, count))
		for i := 0; i < count; i++ {
			fill(value.Index(i), random, depth+1)
		}
	case reflect.Map:
		if rare || random.Intn(3) != 0 {
			return
		}
		value.Set(reflect.MakeMap(value.Type()))
		for i := random.Intn(3); i > 0; i-- {
			key := reflect.New(value.Type().Key()).Elem()
			key.SetString(fmt.Sprintf("k%d", random.Intn(99)))
			item := reflect.New(value.Type().Elem()).Elem()
			fill(item, random, depth+1)
			value.SetMapIndex(key, item)
		}
	case reflect.String:
		if random.Intn(3) != 0 {
			value.SetString([]string{"web", "a b", "ä<&>\"", "Always", "x:1"}[random.Intn(5)])
		}
	case reflect.Bool:
		value.SetBool(random.Intn(2) == 0)
	case reflect.Int32, reflect.Int64:
		if random.Intn(2) == 0 {
			value.SetInt(int64(random.Intn(5000)) - 10)
		}
	}
}
