// filter-judge reads filters and the properties of allocations as JSON. For each filter it writes whether the parser of OpenCost
// accepts the filter, and which of the allocations its matcher selects.
package main

import (
	"encoding/json"
	"log"
	"os"

	filter "github.com/opencost/opencost/core/pkg/filter/allocation"
	"github.com/opencost/opencost/core/pkg/opencost"
)

type question struct {
	Filters     []string                         `json:"filters"`
	Allocations []*opencost.AllocationProperties `json:"allocations"`
}

type verdict struct {
	Accepted bool `json:"accepted"`
	// Null: the matcher has no answer.
	Selected []bool `json:"selected"`
}

func judge(text string, allocations []*opencost.AllocationProperties) verdict {
	tree, err := filter.NewAllocationFilterParser().Parse(text)
	if err != nil {
		return verdict{}
	}
	matcher, err := opencost.NewAllocationMatchCompiler(nil).Compile(tree)
	if err != nil {
		return verdict{Accepted: true}
	}
	selected := make([]bool, len(allocations))
	for i, properties := range allocations {
		selected[i] = matcher.Matches(&opencost.Allocation{Properties: properties})
	}
	return verdict{Accepted: true, Selected: selected}
}

func main() {
	var asked question
	if err := json.NewDecoder(os.Stdin).Decode(&asked); err != nil {
		log.Fatal(err)
	}
	verdicts := make([]verdict, len(asked.Filters))
	for i, text := range asked.Filters {
		verdicts[i] = judge(text, asked.Allocations)
	}
	if err := json.NewEncoder(os.Stdout).Encode(verdicts); err != nil {
		log.Fatal(err)
	}
}
