// Command quantity prints how Kubernetes parses and formats quantities, as a JSON array of cases:
// [string, canonical string or null, error or null, value rounded up to an integer as string or null].
//
// Run in tools/oracle: go run ./facts/quantity > ../../packages/core/src/quantity/quantity-cases.gen.json
package main

import (
	"encoding/json"
	"fmt"
	"math/rand"
	"os"

	"k8s.io/apimachinery/pkg/api/resource"
)

func main() {
	inputs := []string{
		"", "0", "+5", "-0", "1.5", "1.500", "0.5Gi", "1024Ki", "1e3", "1E3", "1E", "1e", "1.", ".5", ".", "-", "+", "1Ki", "0.1Ki", "100Ki",
		"1000m", "1500m", "1.1m", "0.0000000001", "5n", "1.0000000001", "9223372036854775807", "9223372036854775808", "8Ei", "16Ei", "-8Ei",
		"1 Gi", "1gi", "1KI", "1ki", "1i", "1K", "12345678901234567890", "1e-3", "1e+3", "1e-9", "1e-10", "0Ki", "00", "01", "1.0", "1.50", "100000",
		"1Mi1", "1e3m", "--1", "1..2", "1,5", "0x10", "1u", "1T", "1P", "999Pi", "1.5Ki", "1.0005Ki", "-1.5", "-0.5Ki", "١",
	}
	random := rand.New(rand.NewSource(1))
	suffixes := []string{"", "n", "u", "m", "k", "M", "G", "T", "P", "Ki", "Mi", "Gi", "Ti", "Pi", "e3", "E6", "e-3", "e1"}
	for len(inputs) < 1500 {
		text := ""
		if random.Intn(8) == 0 {
			text = "-"
		}
		text += fmt.Sprint(random.Int63n([]int64{10, 2000, 1 << 20, 1 << 40}[random.Intn(4)]))
		if random.Intn(3) == 0 {
			text += fmt.Sprintf(".%0*d", 1+random.Intn(6), random.Intn(1000))
		}
		inputs = append(inputs, text+suffixes[random.Intn(len(suffixes))])
	}
	cases := [][]any{}
	for _, text := range inputs {
		quantity, err := resource.ParseQuantity(text)
		if err != nil {
			cases = append(cases, []any{text, nil, err.Error(), nil})
			continue
		}
		value := quantity.DeepCopy()
		cases = append(cases, []any{text, quantity.String(), nil, fmt.Sprint(value.Value())})
	}
	encoder := json.NewEncoder(os.Stdout)
	encoder.SetEscapeHTML(false)
	if err := encoder.Encode(cases); err != nil {
		panic(err)
	}
}
