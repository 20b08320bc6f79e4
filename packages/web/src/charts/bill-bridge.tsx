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
/** Widths of a bar with its names, and with its amount. */
const wide = { names: 92, amount: 74 }

/** From one bill to another: plan steps in the accent color, other causes in grey. */
export function BillBridge({ before, changes, words, label, unit = '$/month' }: Props) {
  const [ref, width] = useWidth()
  const height = width < 600 ? 220 : 340
  const bottom = height - 40
  const { bars, ticks, y, slot } = bridgeOf(before, changes, { left, right: width - 6, top, bottom })
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
      {words && (slot >= wide.amount || isBill) && (
        <text
          x={middle}
          y={above ? bar.top - 7 : bar.bottom + 15}
          textAnchor={anchorOf(isBill && slot < wide.amount, next)}
          className="stair-name"
        >
          {words.amount}
        </text>
      )}
      {words && slot >= wide.names && (
        <>
          <text x={middle} y={bottom + 20} textAnchor="middle" className="stair-name">
            {words.name}
          </text>
          <text x={middle} y={bottom + 35} textAnchor="middle">
            {words.below}
          </text>
        </>
      )}
    </g>
  )
}

/** On a narrow chart the amounts of both bills stay inside. */
const anchorOf = (isNarrow: boolean, next: BridgeBar | undefined) => (isNarrow ? (next ? 'start' : 'end') : 'middle')
