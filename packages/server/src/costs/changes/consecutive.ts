/** Rows that follow each other and belong together, as lists. */
export async function* consecutive<Row>(
  rows: AsyncIterable<Row>,
  isSame: (a: Row, b: Row) => boolean,
): AsyncGenerator<Row[]> {
  let together: Row[] = []
  for await (const row of rows) {
    const [first] = together
    if (first !== undefined && !isSame(first, row)) {
      yield together
      together = []
    }
    together.push(row)
  }
  if (together.length > 0) yield together
}
