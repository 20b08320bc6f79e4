import { useState } from 'react'
import { download } from './download.ts'
import { Icon } from './icon.tsx'
import { useToast } from './toast.tsx'

/** A name from a cluster must not become a formula in somebody's sheet. */
export function csvText(rows: readonly (readonly string[])[]): string {
  const cell = (value: string) => {
    const safe = /^[=+\-@\t\r]/.test(value) && Number.isNaN(Number(value)) ? `'${value}` : value
    return /[",\n\r]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe
  }
  return rows.map((row) => row.map(cell).join(',')).join('\r\n')
}

type Cells = readonly (readonly string[])[]

/** What is on the screen, or what has yet to be asked for: a sheet is never silently cut. */
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
      toast({ text: `There is no sheet: ${error instanceof Error ? error.message : String(error)}` })
    } finally {
      setBusy(false)
    }
  }
  return (
    <button type="button" className="button" disabled={isBusy} onClick={() => void save()}>
      <Icon name="download" />
      CSV
    </button>
  )
}
