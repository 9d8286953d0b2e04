// Records what Kubernetes' CEL makes of the expressions in expressions.json: issues, types, values, costs and estimates.
//
//	go run . < expressions.json > ../../packages/core/src/cel/recorded-evaluations.gen.json
package main

import (
	"encoding/json"
	"fmt"
	"os"

	"github.com/google/cel-go/cel"
	"github.com/google/cel-go/checker"
	"github.com/google/cel-go/common/types/ref"
	apiext "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions"
	apiextv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	"k8s.io/apiextensions-apiserver/pkg/apiserver/schema"
	scel "k8s.io/apiextensions-apiserver/pkg/apiserver/schema/cel"
	"k8s.io/apiextensions-apiserver/pkg/apiserver/schema/cel/model"
	utiljson "k8s.io/apimachinery/pkg/util/json"
	"k8s.io/apimachinery/pkg/util/version"
	apiservercel "k8s.io/apiserver/pkg/cel"
	"k8s.io/apiserver/pkg/cel/environment"
	"k8s.io/apiserver/pkg/cel/library"
)

type Case struct {
	Expr    string          `json:"expr"`
	Schema  json.RawMessage `json:"schema,omitempty"`
	Root    bool            `json:"root,omitempty"`
	Self    json.RawMessage `json:"self,omitempty"`
	OldSelf json.RawMessage `json:"oldSelf,omitempty"`
	Version string          `json:"version,omitempty"`
	Out     *Out            `json:"out,omitempty"`
}
type Out struct {
	Compile string `json:"compile,omitempty"`
	Program string `json:"program,omitempty"`
	Type    string `json:"type,omitempty"`
	EstMin  string `json:"estMin,omitempty"`
	EstMax  string `json:"estMax,omitempty"`
	Value   string `json:"value,omitempty"`
	Err     string `json:"err,omitempty"`
	Cost    uint64 `json:"cost,omitempty"`
}
type sizeEst struct{ root *apiservercel.DeclType }

func (c *sizeEst) EstimateSize(element checker.AstNode) *checker.SizeEstimate {
	if len(element.Path()) == 0 {
		return nil
	}
	currentNode := c.root
	if currentNode == nil {
		return nil
	}
	for _, name := range element.Path()[1:] {
		switch name {
		case "@items", "@values":
			if currentNode.ElemType == nil {
				return nil
			}
			currentNode = currentNode.ElemType
		case "@keys":
			if currentNode.KeyType == nil {
				return nil
			}
			currentNode = currentNode.KeyType
		default:
			field, ok := currentNode.Fields[name]
			if !ok {
				return nil
			}
			if field.Type == nil {
				return nil
			}
			currentNode = field.Type
		}
	}
	return &checker.SizeEstimate{Min: 0, Max: uint64(currentNode.MaxElements)}
}
func (c *sizeEst) EstimateCallCost(function, overloadID string, target *checker.AstNode, args []checker.AstNode) *checker.CallEstimate {
	return nil
}

func show(v ref.Val) string {
	return fmt.Sprintf("%s:%s", v.Type().TypeName(), native(v))
}
func run(c *Case) (o *Out) {
	o = &Out{}
	defer func() {
		if r := recover(); r != nil {
			o.Err = fmt.Sprintf("PANIC %v", r)
		}
	}()
	ver := version.MajorMinor(1, 36)
	if c.Version != "" {
		ver = version.MustParseGeneric(c.Version)
	}
	base := environment.MustBaseEnvSet(ver)
	var declType *apiservercel.DeclType
	var ss *schema.Structural
	opts := environment.VersionedOptions{IntroducedVersion: version.MajorMinor(1, 0)}
	if c.Schema != nil {
		v1s := &apiextv1.JSONSchemaProps{}
		if err := json.Unmarshal(c.Schema, v1s); err != nil {
			panic(err)
		}
		in := &apiext.JSONSchemaProps{}
		if err := apiextv1.Convert_v1_JSONSchemaProps_To_apiextensions_JSONSchemaProps(v1s, in, nil); err != nil {
			panic(err)
		}
		var err error
		ss, err = schema.NewStructural(in)
		if err != nil {
			panic(err)
		}
		declType = model.SchemaDeclType(ss, c.Root)
		declType = declType.MaybeAssignTypeName("selfType")
		opts.EnvOptions = append(opts.EnvOptions, cel.Variable("self", declType.CelType()), cel.Variable("oldSelf", declType.CelType()))
		opts.DeclTypes = append(opts.DeclTypes, declType)
	} else {
		opts.EnvOptions = append(opts.EnvOptions, cel.Variable("self", cel.DynType), cel.Variable("oldSelf", cel.DynType))
	}
	es, err := base.Extend(opts)
	if err != nil {
		panic(err)
	}
	env := es.NewExpressionsEnv()
	ast, iss := env.Compile(c.Expr)
	if iss != nil && iss.Err() != nil {
		o.Compile = iss.String()
		return
	}
	o.Type = ast.OutputType().String()
	est := &library.CostEstimator{SizeEstimator: &sizeEst{declType}}
	ce, err := env.EstimateCost(ast, est)
	if err != nil {
		panic(err)
	}
	o.EstMin, o.EstMax = fmt.Sprint(ce.Min), fmt.Sprint(ce.Max)
	prog, err := env.Program(ast, cel.CostLimit(1000000), cel.CostTracking(est), cel.InterruptCheckFrequency(100))
	if err != nil {
		o.Program = err.Error()
		return
	}
	act := map[string]any{}
	if ss != nil && c.Root {
		ss = model.WithTypeAndObjectMeta(ss)
	}
	if c.Self != nil {
		act["self"] = val(c.Self, ss)
	}
	if c.OldSelf != nil {
		act["oldSelf"] = val(c.OldSelf, ss)
	}
	v, det, err := prog.Eval(act)
	if det != nil && det.ActualCost() != nil {
		o.Cost = *det.ActualCost()
	}
	if err != nil {
		o.Err = err.Error()
		return
	}
	o.Value = show(v)
	return
}
func val(raw json.RawMessage, ss *schema.Structural) any {
	var v any
	if err := utiljson.Unmarshal(raw, &v); err != nil {
		panic(err)
	}
	if ss == nil {
		return v
	}
	return scel.UnstructuredToVal(v, ss)
}

type Input struct {
	Plain   []string        `json:"plain"`
	Schema  json.RawMessage `json:"schema"`
	Self    json.RawMessage `json:"self"`
	OldSelf json.RawMessage `json:"oldSelf"`
	Rules   []string        `json:"rules"`
}

type Recorded struct {
	Expr string `json:"expr"`
	*Out
}

func main() {
	var in Input
	if err := json.NewDecoder(os.Stdin).Decode(&in); err != nil {
		panic(err)
	}
	out := map[string]any{"schema": in.Schema, "self": in.Self, "oldSelf": in.OldSelf}
	plain, rules := []Recorded{}, []Recorded{}
	for _, expr := range in.Plain {
		plain = append(plain, Recorded{expr, run(&Case{Expr: expr})})
	}
	for _, expr := range in.Rules {
		rules = append(rules, Recorded{expr, run(&Case{Expr: expr, Schema: in.Schema, Root: true, Self: in.Self, OldSelf: in.OldSelf})})
	}
	out["plain"], out["rules"] = plain, rules
	e := json.NewEncoder(os.Stdout)
	e.SetEscapeHTML(false)
	if err := e.Encode(out); err != nil {
		panic(err)
	}
}
