import { useLayoutEffect, useRef, type RefObject } from 'react'

/** Below this a row reads better as a list; above, its values would stand too far from their headings. */
const listBelowPixels = 560

const classes = { tight: 'table-tight', list: 'table-stacked', scrolled: 'table-scrolled' }

/**
 * Fits the table into the box, by the room that it has and not by that of the window, and leaves out nothing: first it gets
 * tighter, then a list where there is little room, and else it scrolls past its first column.
 */
export function useFittingTable(mayBeList: boolean): RefObject<HTMLDivElement | null> {
  const box = useRef<HTMLDivElement>(null)
  // After every drawing: other rows may need more room.
  useLayoutEffect(() => {
    const element = box.current
    const table = element?.firstElementChild
    if (!element || !table) return
    const look = () => fit(element, table, mayBeList)
    look()
    let frame = 0
    // A frame later: what is changed while it is observed would be observed again.
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
