import { useLayoutEffect, useRef, type RefObject } from 'react'

const stacked = 'table-stacked'

/** Lets the table in the box become a list where it does not fit, by the room that it has and not by that of the window. */
export function useStacked(isWanted: boolean): RefObject<HTMLDivElement | null> {
  const box = useRef<HTMLDivElement>(null)
  // After every drawing: other rows may need more room.
  useLayoutEffect(() => {
    const element = box.current
    const table = element?.firstElementChild
    if (!element || !table || !isWanted) return
    const look = () => {
      table.classList.remove(stacked)
      table.classList.toggle(stacked, element.scrollWidth > element.clientWidth)
    }
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
