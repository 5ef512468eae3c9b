package cli

import (
	"io"
	"os"
	"time"

	"github.com/schollz/progressbar/v3"
	"golang.org/x/term"
)

// Progress is a bar that counts things to total where w is a terminal, and
// nothing elsewhere or if quiet is set.
func Progress(w io.Writer, total int, things string, quiet bool) *progressbar.ProgressBar {
	file, ok := w.(*os.File)
	if quiet || !ok || !term.IsTerminal(int(file.Fd())) {
		return progressbar.DefaultSilent(int64(total))
	}
	return progressbar.NewOptions(total, progressbar.OptionSetWriter(file), progressbar.OptionSetDescription(things),
		progressbar.OptionShowCount(), progressbar.OptionFullWidth(), progressbar.OptionClearOnFinish(),
		progressbar.OptionThrottle(100*time.Millisecond))
}

// Width is the number of columns to write to w: the terminal's, else otherwise.
func Width(w io.Writer, otherwise int) int {
	if f, ok := w.(*os.File); ok {
		if n, _, err := term.GetSize(int(f.Fd())); err == nil && n > 0 {
			return n
		}
	}
	return otherwise
}
