import { useState } from 'react'
import { download } from './download.ts'
import { Icon } from './icon.tsx'
import { useToast } from './toast.tsx'

/** A name from a cluster must not become a formula in a spreadsheet. */
export function csvText(rows: readonly (readonly string[])[]): string {
  const cell = (value: string) => {
    const safe = /^[=+\-@\t\r]/.test(value) && Number.isNaN(Number(value)) ? `'${value}` : value
    return /[",\n\r]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe
  }
  return rows.map((row) => row.map(cell).join(',')).join('\r\n')
}

type Cells = readonly (readonly string[])[]

/** The rows on the screen, or a function that loads all rows. The file is always complete. */
type Props = { name: string; rows: Cells | (() => Promise<Cells>) }

export function DownloadCsv({ name, rows }: Props) {
  const toast = useToast()
  const [isBusy, setBusy] = useState(false)
  const save = async () => {
    setBusy(true)
    try {
      const known = typeof rows === 'function' ? await rows() : rows
      download(`${name}.csv`, new Blob([csvText(known)], { type: 'text/csv' }))
    } catch (error) {
      toast({ text: `The CSV file could not be created: ${error instanceof Error ? error.message : String(error)}` })
    } finally {
      setBusy(false)
    }
  }
  return (
    <button type="button" className="button" disabled={isBusy} onClick={() => void save()}>
      <Icon name="download" />
      Download CSV
    </button>
  )
}
