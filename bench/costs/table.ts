const FIRST = 38
const CELL = 16

export const printRow = (cells: readonly string[]): void =>
  console.log(cells.map((cell, at) => (at === 0 ? cell.padEnd(FIRST) : cell.padStart(CELL))).join(''))

const figure = (value: number): string => {
  if (!Number.isFinite(value)) return '–'
  return Math.abs(value) >= 10 && Number.isInteger(value) ? String(value) : value.toFixed(1)
}

/** A figure, and in parentheses the figure of the design where it has one. */
export const withDesign = (value: number, design: number | undefined): string =>
  design === undefined ? figure(value) : `${figure(value)} (${figure(design)})`
