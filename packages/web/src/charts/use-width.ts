import { useEffect, useRef, useState, type RefObject } from 'react'

/** With a viewBox, so that print can scale the chart. */
export const sizeOf = (width: number, height: number) => ({ width, height, viewBox: `0 0 ${width} ${height}` })

/** A chart is drawn at its pixel width, so that its text is not scaled. */
export function useWidth(initial = 720): [RefObject<HTMLDivElement | null>, number] {
  const ref = useRef<HTMLDivElement>(null)
  const [width, setWidth] = useState(initial)
  useEffect(() => {
    const element = ref.current
    if (!element) return
    const observer = new ResizeObserver(([entry]) => entry && setWidth(Math.max(200, entry.contentRect.width)))
    observer.observe(element)
    return () => observer.disconnect()
  }, [])
  return [ref, width]
}
