import type { Cell } from './cells.ts'
import type { Presentation, Table } from './presentation.ts'

export const outputFormats = ['table', 'json', 'yaml', 'csv', 'markdown'] as const
export type OutputFormat = (typeof outputFormats)[number]

/** JSON and YAML contain the response of the API unchanged. The YAML code is loaded on demand, for a fast start. */
export async function render(format: OutputFormat, answer: unknown, present: () => Presentation): Promise<string> {
  switch (format) {
    case 'json':
      return `${JSON.stringify(answer, null, 2)}\n`
    case 'yaml':
      return (await import('./yaml.ts')).stringify(answer)
    case 'csv':
      return csv(tabular(present()))
    case 'markdown':
      return markdown(present())
    case 'table':
      return plain(present())
  }
}

/** CSV has one table. Without a table, the single figures are its rows. */
function tabular({ facts = [], table }: Presentation): Table {
  if (table) return table
  const label = (name: string): Cell => ({ text: name, raw: name, isNumber: false })
  return { columns: ['name', 'value'], rows: facts.map(([name, cell]) => [label(name), cell]) }
}

function plain({ facts = [], table }: Presentation): string {
  const width = Math.max(0, ...facts.map(([label]) => label.length))
  const lines = facts.map(([label, { text }]) => `${`${label}:`.padEnd(width + 2)}${text}\n`)
  const parts = [lines.join(''), table ? plainTable(table) : '']
  return parts.filter((part) => part !== '').join('\n')
}

function plainTable({ columns, rows }: Table): string {
  if (rows.length === 0) return 'No entries.\n'
  const isNumber = columns.map((_title, at) => rows.every((row) => row[at]?.isNumber === true))
  const titles = columns.map((title) => title.toUpperCase())
  const lines = [titles, ...rows.map((row) => row.map(({ text }) => text))]
  const widths = columns.map((_title, at) => lines.reduce((most, line) => Math.max(most, widthOf(line[at] ?? '')), 0))
  const padded = (cell: string, at: number) => {
    const blanks = ' '.repeat(Math.max(0, (widths[at] ?? 0) - widthOf(cell)))
    return isNumber[at] === true ? blanks + cell : cell + blanks
  }
  return lines.map((line) => `${line.map(padded).join('   ').trimEnd()}\n`).join('')
}

const widthOf = (cell: string): number => [...cell].length

function markdown({ facts = [], table }: Presentation): string {
  const escape = (cell: string) => cell.replaceAll(/[\\|`*_<>[\]]/g, '\\$&')
  const list = facts.map(([label, { text }]) => `- ${escape(label)}: ${escape(text)}\n`).join('')
  const row = (cells: readonly string[]) => `| ${cells.join(' | ')} |\n`
  const lines = table
    ? [
        row(table.columns.map(escape)),
        row(table.columns.map((_title, at) => (table.rows[0]?.[at]?.isNumber === true ? '---:' : '---'))),
        ...table.rows.map((cells) => row(cells.map(({ text }) => escape(text)))),
      ]
    : []
  return [list, lines.join('')].filter((part) => part !== '').join('\n')
}

/** A name from a cluster must not become a formula in a spreadsheet. */
function csv({ columns, rows }: Table): string {
  const quoted = (value: string) => (/[",\n\r]/.test(value) ? `"${value.replaceAll('"', '""')}"` : value)
  const safe = (value: string) => (/^[=+\-@\t\r]/.test(value) ? `'${value}` : value)
  const cell = ({ raw }: Cell) => (typeof raw === 'string' ? quoted(safe(raw)) : String(raw ?? ''))
  return [columns.map(quoted), ...rows.map((row) => row.map(cell))].map((line) => `${line.join(',')}\r\n`).join('')
}
