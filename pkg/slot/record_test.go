package slot

import "testing"

func TestDType(t *testing.T) {
	for declared, want := range map[string]string{
		"INTEGER": "integer", "BIGINT": "integer", "REAL": "number", "DECIMAL(10,2)": "number",
		"TEXT": "string", "VARCHAR(20)": "string", "DATE": "string", "datetime": "string", "": "string",
	} {
		if got := DType(declared); got != want {
			t.Errorf("%q: got %s, want %s", declared, got, want)
		}
	}
}
