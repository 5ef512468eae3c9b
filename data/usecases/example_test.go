package usecases_test

import (
	"fmt"

	"github.com/birdcall/birdcall/data/usecases"
	"github.com/birdcall/birdcall/pkg/bird"
)

func ExampleFS() {
	dataset, err := bird.Load(bird.Options{FS: usecases.FS(), AllDatabases: true})
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, db := range dataset.Databases {
		fmt.Println(db.ID)
		for _, table := range db.Tables {
			fmt.Println("  " + table.Name)
		}
	}
	// Output:
	// art_museums
	//   museums
	//   artworks
	//   workshops
	// course_platform
	//   courses
	//   instructors
	//   assignments
	// health_clinics
	//   clinics
	//   doctors
	//   treatments
	// restaurant_guide
	//   restaurants
	//   dishes
	//   reviews
	// travel_agency
	//   tours
	//   hotels
	//   inquiries
}
