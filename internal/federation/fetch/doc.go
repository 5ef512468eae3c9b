// Package fetch makes the HTTP calls of declared APIs: so many at a time and a
// second, tried again where that can help, page by page, equal ones once, and
// within the budget of a statement. It knows nothing of tables and of JSON.
//
// A Client is for one server. Do makes a call and hands its response to a function;
// Pages does so with each page of a listing:
//
//	whole, err := client.Pages(ctx, meter, request, paging, 0, func(r *fetch.Response) (fetch.Page, error) {
//		page, err := decode(r.Body)
//		if err != nil {
//			return fetch.Page{}, fetch.Malformed(err) // and the call is made again
//		}
//		return fetch.Page{Rows: len(page.Data), Next: page.Next, Count: -1, Total: -1}, nil
//	})
//
// What the function takes from responses counts only if there is no error at the
// end.
//
// A request is sent again after network errors, a status of 408, 429 and 5xx, a
// response that is not JSON and one that the function finds malformed, so that
// only requests that change nothing may be made. Between attempts a call waits, for
// longer each time, or for as long as the server asks for. All else that is no
// success is an Error at once.
//
// What goes along with each call, such as a token, is sent to the client's own
// server only, and is in no error and in no Call.
//
// The transport of net/http sends a GET once more by itself if it wrote it on a
// connection that the server had closed meanwhile. A Meter does not count that.
package fetch
