package convert_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"

	sample "github.com/birdcall/birdcall/data/bird"
	"github.com/birdcall/birdcall/internal/querytool/convert"
	"github.com/birdcall/birdcall/pkg/bird"
	"github.com/birdcall/birdcall/pkg/slot"
)

func ExampleConverter_Convert() {
	ctx := context.Background()
	dataset, err := bird.Load(bird.Options{FS: sample.FS()})
	if err != nil {
		fmt.Println(err)
		return
	}
	c, err := convert.Open(ctx, dataset.Database("bird_club"), convert.Options{})
	if err != nil {
		fmt.Println(err)
		return
	}
	defer c.Close()
	for _, sql := range []string{
		"SELECT name FROM site WHERE hide = 1 ORDER BY name",
		"SELECT name FROM site JOIN sighting USING (site_id)",
	} {
		r, err := c.Convert(ctx, &bird.Question{SQL: sql})
		if why := (*slot.Error)(nil); errors.As(err, &why) {
			fmt.Println("refused:", why.Construct)
			continue
		}
		if err != nil {
			fmt.Println(err)
			return
		}
		call, err := json.Marshal(r.Calls[0].Arguments)
		if err != nil {
			fmt.Println(err)
			return
		}
		fmt.Printf("%s\n%v\n", call, r.GoldAnswer)
	}
	// Output:
	// {"collection_name":"site","filters":[{"property_name":"hide","operator":"=","value":true}],"properties":["name"],"order_by":[{"property_name":"name","direction":"ascending"}]}
	// [City Park Fisherman's Point North Slob]
	// refused: JOIN
}
