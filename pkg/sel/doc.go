// Package sel makes SEL samples of SLOT samples by binding, after the SEL-BIRD of
// Elder et al. (arXiv:2506.11266, section 3.2). A sample is never planned anew:
// every SLOT call has exactly one SEL call that does the same, and the tools of
// pkg/tools run both.
//
// A Converter does all of it: it takes a question with its SQL to a verified
// record, as that of pkg/slot does.
//
// Binding follows four rules.
//
//  1. A tool with a categorical argument becomes one function for each of its
//     values, with one argument less: filter_data with condition equal_to is
//     select_data_equal_to. The arguments that only other values use are left
//     out, so that select_data_is_null has no value.
//  2. Each key of the sample has a getter: retrieve_data of one column is
//     get_ and the key in the plural; see Getter. A getter's distinct and limit are left out where they are
//     the defaults.
//  3. retrieve_data stays for several columns, which no getter can return as
//     rows, for columns that calls make, and for an offset. group_data_by and select_unique_values stay as they are.
//  4. operation_args becomes an object with the arguments of that operation;
//     it is left out where it is empty.
//
// What a key holds is said by its getter. The functions that take a key do not
// list them, else the keys would be in a hundred of them.
package sel
