// Package faultytest is a server for tests of what reads APIs. It lists its rows in
// each kind of paging and by their keys, fails by a script in the ways in which
// servers fail, and counts what it is asked.
//
// Row n of the rows 1, 2, ... is {"id": n, "name": "row n"}. A page is
//
//	{"data": [rows], "total": rows of all pages, "more": whether pages follow, "next": where the next page begins, or null}
//
// where next is a number for offsets and pages, and a text for cursors and links:
//
//	GET  /offset?offset=0&limit=10
//	GET  /page?page=1&size=10
//	GET  /cursor?cursor=...&limit=10
//	GET  /link?after=...&limit=10      also with a Link header, without total
//	POST /search                       {"offset": 0, "limit": 10} as its body
//	GET  /whole                        all rows
//	GET  /rows?id=1&id=2               those with these ids
//	GET  /rows/1                       one row, or 404
package faultytest
