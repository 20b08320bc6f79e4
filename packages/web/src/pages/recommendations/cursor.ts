import { useLocation } from '@tanstack/react-router'
import { useState } from 'react'

type Row = { id: string }
type Cursor = { id: string | undefined; place: number }

/** The row that was pointed at, wherever it is now; where it has left the list, the one in its place. */
export function placeOf(rows: readonly Row[], { id, place }: Cursor): number {
  const now = rows.findIndex((row) => row.id === id)
  return now === -1 ? Math.max(0, Math.min(place, rows.length - 1)) : now
}

/** By entry of the browser's history, like the place that a page was scrolled to: going back leads to it. */
const kept = new Map<string, Cursor>()
const first: Cursor = { id: undefined, place: 0 }

/** The row that keys act on. Another list, or the same one visited anew, begins at the top. */
export function useCursor(rows: readonly Row[]): [current: number, point: (place: number) => void] {
  const entry = useLocation({ select: ({ state }) => state.__TSR_key ?? '' })
  const [moved, setMoved] = useState({ entry, cursor: kept.get(entry) ?? first })
  const cursor = moved.entry === entry ? moved.cursor : (kept.get(entry) ?? first)
  const point = (place: number) => {
    const next = { id: rows[place]?.id, place }
    kept.set(entry, next)
    setMoved({ entry, cursor: next })
  }
  return [placeOf(rows, cursor), point]
}
