package main

import (
	"encoding/base64"
	"fmt"
	"sort"
	"strings"

	"github.com/google/cel-go/common/types"
	"github.com/google/cel-go/common/types/ref"
	"github.com/google/cel-go/common/types/traits"
)

func native(v ref.Val) string {
	switch x := v.(type) {
	case types.String:
		return fmt.Sprintf("%q", string(x))
	case types.Bytes:
		return base64.StdEncoding.EncodeToString(x)
	case types.Bool, types.Int, types.Uint, types.Double:
		return fmt.Sprint(x)
	case types.Null:
		return "null"
	case types.Timestamp, types.Duration:
		return string(v.ConvertToType(types.StringType).(types.String))
	case *types.Optional:
		if !x.HasValue() {
			return "none"
		}
		return "of(" + native(x.GetValue()) + ")"
	case traits.Lister:
		parts := []string{}
		for it := x.Iterator(); it.HasNext() == types.True; {
			parts = append(parts, native(it.Next()))
		}
		return "[" + strings.Join(parts, ", ") + "]"
	case traits.Mapper:
		parts := []string{}
		for it := x.Iterator(); it.HasNext() == types.True; {
			k := it.Next()
			parts = append(parts, native(k)+": "+native(x.Get(k)))
		}
		sort.Strings(parts)
		return "{" + strings.Join(parts, ", ") + "}"
	case *types.Type:
		return x.TypeName()
	}
	return fmt.Sprintf("%v", v.Value())
}
