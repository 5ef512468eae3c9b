// Package embedded puts the datasets that are inside the programs together.
package embedded

import (
	sample "github.com/birdcall/birdcall/data/bird"
	"github.com/birdcall/birdcall/data/usecases"
	"github.com/birdcall/birdcall/pkg/bird"
)

// UseCases returns the use cases of the grid, which have no questions.
func UseCases() (*bird.Dataset, error) {
	return bird.Load(bird.Options{FS: usecases.FS(), AllDatabases: true})
}

// All returns the sample with its questions, and behind its databases those of the use
// cases. Errors are those of a split that the sample has not.
func All(split string) (*bird.Dataset, error) {
	d, err := bird.Load(bird.Options{FS: sample.FS(), Split: split})
	if err != nil {
		return nil, err
	}
	more, err := UseCases()
	if err != nil {
		return nil, err
	}
	d.Databases = append(d.Databases, more.Databases...)
	return d, nil
}
