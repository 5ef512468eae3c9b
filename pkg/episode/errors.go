package episode

import "fmt"

// NoTaskError says that there is no such task. Its text is fit for an agent: it
// has nothing of the question's SQL.
type NoTaskError struct {
	Reason string
	Err    error // what conversion said of the question, for those who run the service, or nil
}

// Error returns the reason.
func (e *NoTaskError) Error() string { return e.Reason }

// EndedError says that an episode is not open.
type EndedError struct {
	ID  string
	Why string // such as "it was ended"
}

// Error says what to do instead.
func (e *EndedError) Error() string {
	return fmt.Sprintf("the session %q is not open: %s; open another one, whose results have to be made again", e.ID, e.Why)
}

// DuplicateIDError says that an id names an episode that is open already.
type DuplicateIDError struct{ ID string }

// Error says what to do instead.
func (e *DuplicateIDError) Error() string {
	return fmt.Sprintf("the session id %q is taken; choose another, or leave it out", e.ID)
}

// IDError says that an id cannot be an episode's.
type IDError struct{ ID string }

// Error says what can.
func (e *IDError) Error() string {
	return fmt.Sprintf("%.80q cannot be a session id; use up to 64 letters, digits, - and _, or leave it out", e.ID)
}

// CapacityError says that no episode can be opened, as all that may be open are at
// work.
type CapacityError struct{ Open int }

// Error says what to do.
func (e *CapacityError) Error() string {
	return fmt.Sprintf("%d sessions are open and none of them is idle; try again later", e.Open)
}
