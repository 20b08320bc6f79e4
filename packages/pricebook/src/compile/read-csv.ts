export type CsvRow = Readonly<Record<string, string>>

/**
 * RFC 4180 without line breaks inside quotes, which these tables do not have. Throws on a row with a different number
 * of columns.
 */
export function readCsv(text: string): CsvRow[] {
  const [head = '', ...lines] = text.split(/\r?\n/).filter((line) => line !== '')
  const names = splitLine(head)
  return lines.map((line, at) => {
    const fields = splitLine(line)
    if (fields.length !== names.length)
      throw new Error(`line ${at + 2} has ${fields.length} fields, not ${names.length}`)
    const row: Record<string, string> = {}
    for (const [column, name] of names.entries()) row[name] = fields[column] ?? ''
    return row
  })
}

function splitLine(line: string): string[] {
  if (!line.includes('"')) return line.split(',')
  return [...line.matchAll(/(?:^|,)(?:"((?:[^"]|"")*)"|([^,"]*))(?=,|$)/g)].map(
    ([, quoted, plain]) => quoted?.replaceAll('""', '"') ?? plain ?? '',
  )
}
