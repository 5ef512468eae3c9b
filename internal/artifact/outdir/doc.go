// Package outdir writes folders of files. A folder appears whole, takes the
// place of the one that an earlier run wrote, and costs nobody a file that this
// package did not write.
//
// Beside a folder F three names are in use while it is written:
//
//	.F.lock      locked by the process that writes F; the lock ends with it
//	.F.building  the new folder in the making
//	.F.old       the old folder while the new one takes its place
//
// F holds the list of its files, ListFile. Only files on this list are ever
// removed; a folder with any other is not written to. A file that someone puts
// into F while its successor is in the making is moved into the new folder.
//
// The folders take places by two renames. A process that is killed between
// them leaves the old folder as .F.old, and the next run puts it back.
package outdir
