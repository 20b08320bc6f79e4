import { useLocation } from '@tanstack/react-router'
import { useState } from 'react'

type Row = { id: string }
type Cursor = { id: string | undefined; place: number }

/** The current row at its new position, or the row in its place if it left the list. */
export function placeOf(rows: readonly Row[], { id, place }: Cursor): number {
  const now = rows.findIndex((row) => row.id === id)
  return now === -1 ? Math.max(0, Math.min(place, rows.length - 1)) : now
}

/** Stored per history entry, so that the back button restores it. */
const kept = new Map<string, Cursor>()
const first: Cursor = { id: undefined, place: 0 }

type Current = { current: number; /** Without a key or a click the mark would look like a state. */ isMarked: boolean }

/** The row for keyboard actions. A new list starts at the top. */
export function useCursor(rows: readonly Row[]): [current: Current, point: (place: number) => void] {
  const entry = useLocation({ select: ({ state }) => state.__TSR_key ?? '' })
  const [moved, setMoved] = useState({ entry, cursor: kept.get(entry) ?? first })
  const cursor = moved.entry === entry ? moved.cursor : (kept.get(entry) ?? first)
  const point = (place: number) => {
    const next = { id: rows[place]?.id, place }
    kept.set(entry, next)
    setMoved({ entry, cursor: next })
  }
  return [{ current: placeOf(rows, cursor), isMarked: cursor !== first }, point]
}
