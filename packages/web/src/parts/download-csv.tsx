import { download } from './download.ts'
import { Icon } from './icon.tsx'

/** A name from a cluster must not become a formula in somebody's sheet. */
export function csvText(rows: readonly (readonly string[])[]): string {
  const cell = (value: string) => {
    const safe = /^[=+\-@\t\r]/.test(value) && Number.isNaN(Number(value)) ? `'${value}` : value
    return /[",\n\r]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe
  }
  return rows.map((row) => row.map(cell).join(',')).join('\r\n')
}

export function DownloadCsv({ name, rows }: { name: string; rows: readonly (readonly string[])[] }) {
  const save = () => download(`${name}.csv`, new Blob([csvText(rows)], { type: 'text/csv' }))
  return (
    <button type="button" className="button" onClick={save}>
      <Icon name="download" />
      CSV
    </button>
  )
}
