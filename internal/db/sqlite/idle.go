package sqlite

import "slices"

// withoutIdle returns a program without the instructions that never do anything, or not
// with the literal that they are about: SQLite guards a parameter against NULL and gives
// it the affinity of a column where it knows a literal to need neither. Jumps lead to
// where they led. A program with an instruction that is not listed below stays as it is.
func withoutIdle(program []instruction) []instruction {
	targets := map[int64]bool{}
	for _, in := range program {
		addresses, ok := addressesOf(&in)
		if !ok {
			return program
		}
		for _, a := range addresses {
			targets[*a] = true
		}
	}
	var out []instruction
	at := make([]int64, len(program)+1) // where an instruction, or the next one, is now
	for i, in := range program {
		at[i] = int64(len(out))
		literal := func(register int64) instruction { return literalIn(program, targets, i, register) }
		switch in.opcode {
		case "Explain", "Noop":
			continue
		case "IsNull":
			if code := literal(in.p1).opcode; code == "Integer" || code == "String8" {
				continue
			}
		case "Affinity":
			if in = withoutIdleAffinity(in, literal); in.p2 == 0 {
				continue
			}
		}
		out = append(out, in)
	}
	at[len(program)] = int64(len(out))
	for i := range out {
		addresses, _ := addressesOf(&out[i])
		for _, a := range addresses {
			if *a >= 0 && *a <= int64(len(program)) {
				*a = at[*a]
			}
		}
	}
	return out
}

// withoutIdleAffinity takes those registers from the ends of an Affinity whose values
// are of their affinity: a text of TEXT (B), an integer of NUMERIC (C) or INTEGER (D).
func withoutIdleAffinity(in instruction, literal func(register int64) instruction) instruction {
	isIdle := func(i int64) bool {
		switch literal(in.p1 + i).opcode {
		case "String8":
			return in.p4[i] == 'B'
		case "Integer":
			return in.p4[i] == 'C' || in.p4[i] == 'D'
		}
		return false
	}
	if int64(len(in.p4)) != in.p2 {
		return in
	}
	for in.p2 > 0 && isIdle(in.p2-1) {
		in.p2, in.p4 = in.p2-1, in.p4[:in.p2-1]
	}
	for in.p2 > 0 && isIdle(0) {
		in.p1, in.p2, in.p4 = in.p1+1, in.p2-1, in.p4[1:]
	}
	return in
}

// literalIn returns the instruction that has put a literal into a register, as the
// instruction i finds it, or none where it may be another value.
func literalIn(program []instruction, targets map[int64]bool, i int, register int64) instruction {
	for k := i - 1; k >= 0 && !targets[int64(k+1)]; k-- {
		in := program[k]
		from, to := in.p2, in.p2 // the registers that it writes
		switch in.opcode {
		case "String8", "Integer":
			if in.p2 == register {
				return in
			}
		case "Rowid", "IdxRowid":
		case "Null":
			to = max(in.p2, in.p3)
		case "Column":
			from, to = in.p3, in.p3
		case "IsNull": // which went on
			continue
		default:
			return instruction{}
		}
		if from <= register && register <= to {
			return instruction{}
		}
	}
	return instruction{}
}

// addressesOf returns the operands of an instruction that are addresses of others, by
// https://www.sqlite.org/opcode.html, and whether the opcode is one that a SELECT was
// seen to have.
func addressesOf(in *instruction) ([]*int64, bool) {
	switch {
	case slices.Contains(jumps, in.opcode):
		return []*int64{&in.p2}, true
	case in.opcode == "InitCoroutine":
		return []*int64{&in.p2, &in.p3}, true
	case in.opcode == "Jump":
		return []*int64{&in.p1, &in.p2, &in.p3}, true
	}
	return nil, slices.Contains(others, in.opcode)
}

// jumps have an address as their second operand, and others have none.
var (
	jumps = []string{
		"DecrJumpZero", "ElseEq", "Eq", "Filter", "Found", "Ge", "Gosub", "Goto", "Gt", "IdxGE", "IdxGT", "IdxLE", "IdxLT", "If", "IfEmpty",
		"IfNot", "IfNotOpen", "IfNotZero", "IfNullRow", "IfPos", "Init", "IsNull", "IsType", "Last", "Le", "Lt", "MustBeInt", "Ne", "Next",
		"NoConflict", "NotExists", "NotFound", "NotNull", "Once", "Prev", "Rewind", "SeekGE", "SeekGT", "SeekLE", "SeekLT", "SeekRowid",
		"Sort", "SorterNext", "SorterSort", "Yield",
	}
	others = []string{
		"Add", "AddImm", "Affinity", "AggFinal", "AggInverse", "AggStep", "AggValue", "And", "BitAnd", "BitNot", "BitOr", "Blob", "Cast",
		"Close", "CollSeq", "Column", "Compare", "Concat", "Copy", "Count", "DeferredSeek", "Divide", "EndCoroutine", "Explain", "FilterAdd",
		"FinishSeek", "Function", "Halt", "IdxInsert", "IdxRowid", "Insert", "IntCopy", "Integer", "IsTrue", "MakeRecord", "Move", "Multiply",
		"NewRowid", "Noop", "Not", "Null", "NullRow", "OffsetLimit", "OpenAutoindex", "OpenDup", "OpenEphemeral", "OpenPseudo", "OpenRead",
		"Or", "Permutation", "RealAffinity", "ReleaseReg", "Remainder", "ReopenIdx", "ResetSorter", "ResultRow", "Return", "Rowid", "SCopy",
		"Sequence", "ShiftLeft", "ShiftRight", "SorterData", "SorterInsert", "SorterOpen", "String8", "Subtract", "Transaction", "ZeroOrNull",
	}
)
