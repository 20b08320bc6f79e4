import { useLayoutEffect, useRef, type RefObject } from 'react'

/** Narrower tables are shown as lists. */
const listBelowPixels = 560

const classes = { tight: 'table-tight', list: 'table-stacked', scrolled: 'table-scrolled' }

/**
 * Fits the table into its container without hiding content. First it reduces the spacing. Then a narrow table becomes a
 * list, and any other table scrolls past its first column.
 */
export function useFittingTable(mayBeList: boolean): RefObject<HTMLDivElement | null> {
  const box = useRef<HTMLDivElement>(null)
  // After every render: other rows may need more width.
  useLayoutEffect(() => {
    const element = box.current
    const table = element?.firstElementChild
    if (!element || !table) return
    const look = () => fit(element, table, mayBeList)
    look()
    let frame = 0
    // One frame later, because a change during observation triggers another observation.
    const observer = new ResizeObserver(() => {
      cancelAnimationFrame(frame)
      frame = requestAnimationFrame(look)
    })
    observer.observe(element)
    return () => {
      cancelAnimationFrame(frame)
      observer.disconnect()
    }
  })
  return box
}

function fit(box: Element, table: Element, mayBeList: boolean): void {
  const isTooWide = () => box.scrollWidth > box.clientWidth
  table.classList.remove(...Object.values(classes))
  if (!isTooWide()) return
  table.classList.add(classes.tight)
  if (!isTooWide()) return
  table.classList.add(mayBeList && box.clientWidth < listBelowPixels ? classes.list : classes.scrolled)
}
