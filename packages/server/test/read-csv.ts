/** The rows of a CSV text, by column. */
export function readCsv(text: string): Record<string, string>[] {
  const [header = [], ...lines] = cellsOf(text)
  return lines.map((cells) => Object.fromEntries(header.map((name, index) => [name, cells[index] ?? ''])))
}

function cellsOf(text: string): string[][] {
  return text
    .trimEnd()
    .split('\r\n')
    .map((line) =>
      [...`,${line}`.matchAll(/,(?:"((?:[^"]|"")*)"|([^",]*))/g)].map(([, quoted, plain = '']) =>
        quoted === undefined ? plain : quoted.replaceAll('""', '"'),
      ),
    )
}
