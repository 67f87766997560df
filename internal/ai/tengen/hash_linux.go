package tengen

import (
	"unsafe"

	"golang.org/x/sys/unix"
)

// advise asks for the table to lie on large pages, where they are to be had: it is
// read all over, and the processor finds few small pages at once. They are to be
// there now, not when the first search comes upon them.
func (t *hashTable) advise() {
	first := unsafe.Pointer(unsafe.SliceData(t.buckets))
	bytes := unsafe.Slice((*byte)(first), len(t.buckets)*int(unsafe.Sizeof(bucket{})))
	if page := unix.Getpagesize(); len(bytes) >= largePage && uintptr(first)%uintptr(page) == 0 {
		_ = unix.Madvise(bytes, unix.MADV_HUGEPAGE) // without it is slower, that is all
		_ = unix.Madvise(bytes, unix.MADV_POPULATE_WRITE)
	}
}

// largePage is the size of one in bytes, on most machines; a smaller table gains
// nothing.
const largePage = 2 << 20
