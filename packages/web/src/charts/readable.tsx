import { useRef, useState, type KeyboardEvent, type PointerEvent, type ReactNode } from 'react'
import { nearestStep, readingText, stepForKey, type Box, type Point, type Reading } from './reading.ts'

type Props = {
  label: string
  count: number
  /** The position of a step, in pixels of the chart. */
  x: (index: number) => number
  width: number
  top: number
  bottom: number
  readingAt: (index: number) => Reading
  /** The first and the last step of the part that a drag selected. */
  onZoom?: ((from: number, to: number) => void) | undefined
  /** In a chart of two dimensions: the step at a position, and its height. */
  stepAt?: (at: Point) => number
  y?: (index: number) => number
  /** Outlined instead of the crosshair. */
  boxOf?: (index: number) => Box | undefined
  /** Where the arrow keys start. */
  start?: 'first' | 'last'
  /** Enter opens the step. */
  onOpen?: ((index: number) => void) | undefined
  children: ReactNode
}

/** A chart with a crosshair: the pointer and the arrow keys read its values, and a drag zooms. */
export function Readable(props: Props) {
  const { label, count, x, width, top, bottom, readingAt, onZoom, stepAt, y, boxOf, onOpen, children } = props
  const box = useRef<HTMLDivElement>(null)
  const [at, setAt] = useState<number | null>(null)
  const [start, setStart] = useState<number | null>(null)
  const stepOf = (event: PointerEvent) => {
    const { left = 0, top: above = 0 } = box.current?.getBoundingClientRect() ?? {}
    const place = { x: event.clientX - left, y: event.clientY - above }
    return stepAt ? stepAt(place) : nearestStep(place.x, count, x)
  }
  const press = (event: KeyboardEvent) => {
    if (event.key === 'Enter' && at !== null && onOpen) return onOpen(at)
    const next = stepForKey(event.key, at, count, props.start)
    if (next === undefined) return
    setAt(next)
    event.preventDefault()
  }
  const drop = (event: PointerEvent) => {
    const end = stepOf(event)
    if (start !== null && end !== start) onZoom?.(Math.min(start, end), Math.max(start, end))
    setStart(null)
  }
  // New data can have fewer steps.
  const shown = at === null || at >= count ? null : at
  const reading = shown === null ? null : readingAt(shown)
  return (
    <div
      ref={box}
      className={onZoom ? 'readable readable-zoom' : 'readable'}
      role="slider"
      tabIndex={0}
      aria-label={`${label}. Read with the arrow keys`}
      aria-valuemin={0}
      aria-valuemax={Math.max(0, count - 1)}
      aria-valuenow={shown ?? Math.max(0, count - 1)}
      aria-valuetext={reading ? readingText(reading) : 'No step selected'}
      onKeyDown={press}
      onBlur={() => setAt(null)}
      onPointerMove={(event) => setAt(stepOf(event))}
      onPointerLeave={() => {
        setAt(null)
        setStart(null)
      }}
      {...(onZoom ? { onPointerDown: (event: PointerEvent) => setStart(stepOf(event)), onPointerUp: drop } : {})}
    >
      {children}
      {shown !== null && !boxOf && (
        <Crosshair at={x(shown)} from={start === null ? null : x(start)} top={top} bottom={bottom} />
      )}
      {shown !== null && y && <div className="crosshair-level" style={{ top: y(shown), width }} />}
      {shown !== null && boxOf && <Outline box={boxOf(shown)} />}
      {reading && shown !== null && <ReadingBox reading={reading} at={x(shown)} width={width} />}
    </div>
  )
}

type CrosshairProps = { at: number; from: number | null; top: number; bottom: number }

function Crosshair({ at, from, top, bottom }: CrosshairProps) {
  const height = bottom - top
  return (
    <>
      {from !== null && from !== at && (
        <div className="chart-range" style={{ left: Math.min(from, at), width: Math.abs(at - from), top, height }} />
      )}
      <div className="crosshair" style={{ left: at, top, height }} />
    </>
  )
}

const Outline = ({ box }: { box: Box | undefined }) =>
  box ? (
    <div className="chart-outline" style={{ left: box.x, top: box.y, width: box.width, height: box.height }} />
  ) : null

/** Beside the crosshair, on the side with more space. */
function ReadingBox({ reading: { title, lines }, at, width }: { reading: Reading; at: number; width: number }) {
  const side = at > width / 2 ? { right: width - at + 10 } : { left: at + 10 }
  return (
    <div className="reading" style={side} aria-hidden="true">
      <p className="font-semibold">{title}</p>
      <dl>
        {lines.map(({ name, value, colour, isHatched = false, isSum = false }, index) => (
          <div key={index} className={isSum ? 'sum' : ''}>
            <dt>
              {(colour !== undefined || isHatched) && (
                <span
                  className={`swatch ${isHatched ? 'hatch' : ''}`}
                  style={isHatched ? {} : { background: colour }}
                />
              )}
              {name}
            </dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
    </div>
  )
}
