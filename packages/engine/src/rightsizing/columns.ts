/** A growing list of numbers: an array of boxed numbers would take three times the memory. */
export type Column = { length: number; values: Float64Array }

export function makeColumn(capacity = 1024): Column {
  return { length: 0, values: new Float64Array(capacity) }
}

export function push(column: Column, value: number): void {
  if (column.length === column.values.length) {
    const wider = new Float64Array(column.values.length * 2)
    wider.set(column.values)
    column.values = wider
  }
  column.values[column.length++] = value
}

export function valueAt({ values }: Column, index: number): number {
  return values[index] ?? 0
}
