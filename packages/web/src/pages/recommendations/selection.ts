import type { Recommendation } from '@plimsoll/contract'
import { useCallback, useMemo, useRef, useState } from 'react'

export type Selection = {
  ids: readonly string[]
  has: (id: string) => boolean
  toggle: (id: string, isRange: boolean) => void
  toggleAll: () => void
  clear: () => void
}

/** Selection by id, independent of the row order; removed rows are deselected. */
export function useSelection(rows: readonly Recommendation[]): Selection {
  const [selected, setSelected] = useState<ReadonlySet<string>>(new Set())
  const last = useRef<string | null>(null)
  const ids = useMemo(() => rows.map(({ id }) => id).filter((id) => selected.has(id)), [rows, selected])
  const clear = useCallback(() => setSelected(new Set()), [])
  const toggle = (id: string, isRange: boolean) => {
    const from = isRange ? rows.findIndex((row) => row.id === last.current) : -1
    const to = rows.findIndex((row) => row.id === id)
    last.current = id
    const next = new Set(selected)
    if (from >= 0) for (const row of rows.slice(Math.min(from, to), Math.max(from, to) + 1)) next.add(row.id)
    else if (!next.delete(id)) next.add(id)
    setSelected(next)
  }
  const toggleAll = () => setSelected(ids.length === rows.length ? new Set() : new Set(rows.map(({ id }) => id)))
  return { ids, has: (id) => selected.has(id), toggle, toggleAll, clear }
}
