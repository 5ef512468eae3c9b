// Events is the service of an events agency, an example of an API that was not made
// for SQL: its rows are nested, its schemas are put together, and its pages follow
// each other by cursors. apis.yaml declares it; docs/apis.md joins it with the
// sample database city_library.
//
//	AGENCY_KEY=secret go run ./docs/examples/events --addr 127.0.0.1:8090
package main
