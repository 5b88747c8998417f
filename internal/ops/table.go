package ops

// NewTable returns the table of all operations. Adding an operation is adding
// one row to one of these lists.
func NewTable() *Table {
	var rows []*Operation
	rows = append(rows, skillRows()...)
	rows = append(rows, runRows()...)
	rows = append(rows, browserRows()...)
	rows = append(rows, pageRows()...)
	rows = append(rows, locatorRows()...)
	rows = append(rows, inputRows()...)
	rows = append(rows, fileRows()...)
	rows = append(rows, screencastRows()...)
	rows = append(rows, waitRows()...)
	rows = append(rows, observeRows()...)
	rows = append(rows, fetchRows()...)
	rows = append(rows, taskSpaceRows()...)
	rows = append(rows, scriptRows()...)
	rows = append(rows, discoverRows()...)
	return newTable(rows, append(watchRows(), fsRows()...))
}
