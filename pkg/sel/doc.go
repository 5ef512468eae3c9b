// Package sel turns SLOT samples into SEL samples by binding arguments, after the
// SEL-BIRD of Elder et al. (arXiv:2506.11266, section 3.2). It does not plan a sample
// again: every SLOT call has exactly one SEL call that does the same, and the tools of
// pkg/tools run both.
//
// A Converter turns a question with its SQL into a verified record, as the Converter of
// pkg/slot does.
//
// Binding follows four rules.
//
//  1. A tool with a categorical argument becomes one function for each value of that
//     argument: filter_data with condition equal_to is select_data_equal_to. The
//     function has no arguments that only other values use: select_data_is_null has no
//     value.
//  2. Each key of the sample has a getter: retrieve_data of one column becomes a
//     function named get_ and the key in the plural; see Getter. A call of it omits
//     distinct and limit if they have their defaults.
//  3. retrieve_data remains for several columns, which no getter can return as rows,
//     for columns that calls make, and for an offset. group_data_by and
//     select_unique_values are unchanged.
//  4. operation_args becomes an object with the arguments of that operation; a call
//     omits it if it is empty.
//
// The getter of a key describes what the key holds. The functions that take a key do
// not list the keys, as the list would be repeated in a hundred functions.
package sel
