package calltext

import "github.com/birdcall/birdcall/pkg/tools"

// object collects named values; the last one of a name counts.
type object struct {
	args tools.Arguments
	at   map[string]int // nil while there are few
}

func (o *object) set(name string, v any) {
	const few = 8
	if len(o.args) == few && o.at == nil {
		o.at = map[string]int{}
		for i, a := range o.args {
			o.at[a.Name] = i
		}
	}
	if o.at == nil {
		for i := range o.args {
			if o.args[i].Name == name {
				o.args[i].Value = v
				return
			}
		}
	} else if i, ok := o.at[name]; ok {
		o.args[i].Value = v
		return
	} else {
		o.at[name] = len(o.args)
	}
	o.args = append(o.args, tools.Argument{Name: name, Value: v})
}
