package main

import (
	"encoding/csv"
	"errors"
	"strings"
)

// secrets are lists of keys as they were given. It takes any text, as the error
// of a flag that does not would show it, and never shows one itself.
type secrets []string

// Set keeps a list of keys.
func (s *secrets) Set(text string) error {
	*s = append(*s, text)
	return nil
}

// Type is the word for the value in the help.
func (s *secrets) Type() string { return "strings" }

// String shows none of the keys.
func (s *secrets) String() string {
	if len(*s) == 0 {
		return ""
	}
	return "(hidden)"
}

// keys returns the keys of all lists: separated by commas or line ends, in
// quotation marks where a key has a comma. Space around them is dropped, and an
// empty one is left for the service to refuse.
func (s *secrets) keys() ([]string, error) {
	var all []string
	for _, text := range *s {
		r := csv.NewReader(strings.NewReader(text))
		r.TrimLeadingSpace, r.FieldsPerRecord = true, -1
		lines, err := r.ReadAll()
		if err != nil { // which may quote the text
			return nil, errors.New("the keys cannot be read; separate them with commas, and write a key with a comma or a quotation mark in it in quotation marks, those inside doubled")
		}
		if len(lines) == 0 {
			return nil, errors.New("there is no key; give one or more, or leave the flag out to open the service to all")
		}
		for _, line := range lines {
			all = append(all, line...)
		}
	}
	return all, nil
}
