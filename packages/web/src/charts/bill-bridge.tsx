import { BillAxis, billMargin } from './axis.tsx'
import { bridgeOf, type BridgeBar } from './bridge.ts'
import { Readable } from './readable.tsx'
import { sizeOf, useWidth } from './use-width.ts'

export type BridgeWords = { name: string; below: string; amount: string; isStep?: boolean }

type Props = {
  before: number
  changes: readonly number[]
  /** Of the first bill, of each change, and of the last bill. */
  words: readonly BridgeWords[]
  label: string
  /** `$/month`, or `$` for the cost of a period. */
  unit?: string
}

const { left, top } = billMargin
/** Widths of a bar with its names, and with its amount. A narrow chart has only the amount of the last bill. */
const wide = { names: 92, amount: 74 }

/** Narrow bars have tilted names, and the room below the chart that these need. */
const tilted = { degrees: 40, room: 56, lettersMax: { wide: 18, narrow: 12 }, narrowSlot: 40 }

/** From one bill to another: plan steps in the accent color, other causes in grey. */
export function BillBridge({ before, changes, words, label, unit = '$/month' }: Props) {
  const [ref, width] = useWidth()
  const bottom = width < 600 ? 180 : 300
  const { bars, ticks, y, slot } = bridgeOf(before, changes, { left, right: width - 6, top, bottom })
  const height = bottom + 40 + (slot < wide.names ? tilted.room : 0)
  return (
    <div ref={ref}>
      <Readable
        label={label}
        count={bars.length}
        x={(index) => middleOf(bars[index])}
        width={width}
        top={top}
        bottom={bottom}
        start="first"
        readingAt={(index) => readingOf(words[index], index === 0 || index === bars.length - 1)}
      >
        <svg {...sizeOf(width, height)} role="img" aria-label={label} className="block">
          <BillAxis ticks={ticks} y={y} to={width - 6} unit={unit} />
          {bars.map((bar, index) => (
            <Bar
              key={index}
              bar={bar}
              next={bars[index + 1]}
              words={words[index]}
              isBill={index === 0 || index === bars.length - 1}
              slot={slot}
              bottom={bottom}
            />
          ))}
        </svg>
      </Readable>
    </div>
  )
}

const middleOf = (bar: BridgeBar | undefined) => (bar ? (bar.from + bar.to) / 2 : 0)

const readingOf = (words: BridgeWords | undefined, isBill: boolean) => ({
  title: [words?.name, words?.below].filter(Boolean).join(', '),
  lines: [{ name: isBill ? 'Total' : 'Change', value: words?.amount ?? '' }],
})

type BarProps = {
  bar: BridgeBar
  next: BridgeBar | undefined
  words: BridgeWords | undefined
  isBill: boolean
  slot: number
  bottom: number
}

function Bar({ bar, next, words, isBill, slot, bottom }: BarProps) {
  const middle = middleOf(bar)
  const fill = isBill ? 'var(--ink-2)' : words?.isStep ? 'var(--accent-fill)' : 'var(--unallocated)'
  const above = isBill || bar.isRise || bar.bottom + 18 > bottom
  return (
    <g>
      {next && <path d={`M${bar.to} ${bar.level}H${next.from}`} stroke="var(--rule-strong)" strokeDasharray="2 2" />}
      <rect x={bar.from} y={bar.top} width={bar.to - bar.from} height={bar.bottom - bar.top} fill={fill} />
      {words && (slot >= wide.amount || !next) && (
        <text
          x={middle}
          y={above ? bar.top - 7 : bar.bottom + 15}
          textAnchor={slot < wide.amount ? 'end' : 'middle'}
          className="stair-name"
        >
          {words.amount}
        </text>
      )}
      {words && <BarName words={words} middle={middle} slot={slot} bottom={bottom} />}
    </g>
  )
}

type BarNameProps = { words: BridgeWords; middle: number; slot: number; bottom: number }

function BarName({ words: { name, below }, middle, slot, bottom }: BarNameProps) {
  if (slot < wide.names) {
    const at = `translate(${middle} ${bottom + 14}) rotate(-${tilted.degrees})`
    return (
      <text transform={at} textAnchor="end">
        {shortened(name, slot < tilted.narrowSlot ? tilted.lettersMax.narrow : tilted.lettersMax.wide)}
      </text>
    )
  }
  return (
    <>
      <text x={middle} y={bottom + 20} textAnchor="middle" className="stair-name">
        {name}
      </text>
      <text x={middle} y={bottom + 35} textAnchor="middle">
        {below}
      </text>
    </>
  )
}

/** The whole name is in the reading of the bar. */
const shortened = (name: string, lettersMax: number) =>
  name.length <= lettersMax ? name : `${name.slice(0, lettersMax - 1).trimEnd()}…`
