import { BillAxis, billMargin } from './axis.tsx'
import { Readable } from './readable.tsx'
import { stairsOf, type Stair } from './stairs.ts'
import { sizeOf, useWidth } from './use-width.ts'

export type TreadWords = {
  name: string
  below: string
  change: string
  bill: string
  isCost: boolean
  /** The bill stays: no label. */ isFree?: boolean
}

type Props = {
  runRate: number
  /** The bill after each step. */
  bills: readonly number[]
  /** Of the present, and of each step. */
  words: readonly TreadWords[]
  label: string
}

const { left, top } = billMargin
/** Widths of a tread: with all words, with the change alone, and with a number. */
const wide = { full: 84, short: 56, number: 22 }

/** The monthly bill going down step by step. The last tread is the load line. */
export function Staircase({ runRate, bills, words, label }: Props) {
  const [ref, width] = useWidth()
  const treadWidth = (width - left) / (bills.length + 1)
  const detail = treadWidth >= wide.full ? 'full' : treadWidth >= wide.short ? 'short' : 'none'
  const height = width < 600 ? 190 : 288
  const bottom = height - (detail === 'full' ? 44 : 26)
  const { treads, ticks, y } = stairsOf([runRate, ...bills], { left, right: width - 14, top, bottom })
  const last = treads.at(-1)
  const every = Math.ceil(wide.number / Math.max(1, treadWidth))
  return (
    <div ref={ref}>
      <Readable
        label={label}
        count={treads.length}
        x={(index) => middleOf(treads[index])}
        width={width}
        top={top}
        bottom={bottom}
        start="first"
        readingAt={(index) => readingOf(words[index], index === 0)}
      >
        <svg {...sizeOf(width, height)} role="img" aria-label={label}>
          <BillAxis ticks={ticks} y={y} to={width - 14} unit="$/month" />
          <path d={areaOf(treads, bottom)} fill="var(--surface-sunken)" />
          <path d={lineOf(treads)} fill="none" stroke="var(--ink)" strokeWidth="2" />
          {treads.map((tread, index) => (
            <Tread key={index} tread={tread} words={words[index]} isFirst={index === 0} detail={detail} />
          ))}
          {treads.map(({ from, to }, index) =>
            detail !== 'full' && index % every === 0 ? (
              <text key={index} x={(from + to) / 2} y={height - 8} textAnchor="middle">
                {index === 0 ? 'now' : index}
              </text>
            ) : null,
          )}
          {last && <LoadLine tread={last} bill={words.at(-1)?.bill ?? ''} />}
          {detail === 'none' && treads[0] && (
            <text x={left + 2} y={treads[0].y - 9} className="stair-strong">
              {words[0]?.bill}
            </text>
          )}
        </svg>
      </Readable>
    </div>
  )
}

const middleOf = (tread: Stair | undefined) => (tread ? (tread.from + tread.to) / 2 : 0)

const readingOf = (words: TreadWords | undefined, isFirst: boolean) => ({
  title: [words?.name, words?.below].filter(Boolean).join(', '),
  lines: [
    ...(isFirst ? [] : [{ name: 'Change', value: words?.change ?? '' }]),
    { name: 'Bill', value: words?.bill ?? '' },
  ],
})

type TreadProps = { tread: Stair; words: TreadWords | undefined; isFirst: boolean; detail: 'full' | 'short' | 'none' }

function Tread({ tread: { from, to, y, bottom, riser }, words, isFirst, detail }: TreadProps) {
  const middle = (from + to) / 2
  return (
    <g>
      {!isFirst && <path d={`M${from} ${Math.max(riser, y)}V${bottom}`} stroke="var(--rule)" strokeDasharray="2 3" />}
      {words?.isCost && <path d={`M${from} ${y}H${to}`} stroke="var(--danger)" strokeWidth="3" />}
      {detail !== 'none' && words && (
        <>
          <text x={middle} y={y - 8} textAnchor="middle" className={words.isCost ? 'stair-cost' : 'stair-strong'}>
            {isFirst ? words.bill : words.isFree ? '' : words.change}
          </text>
        </>
      )}
      {detail === 'full' && words && (
        <>
          {!isFirst && (
            <text x={middle} y={y + 16} textAnchor="middle">
              {words.bill}
            </text>
          )}
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

function LoadLine({ tread: { from, to, y }, bill }: { tread: Stair; bill: string }) {
  return (
    <g>
      <path d={`M${from} ${y}H${to}`} stroke="var(--accent)" strokeWidth="2" />
      <g fill="none" stroke="var(--accent)" strokeWidth="2" transform={`translate(${to - 20} ${y})`}>
        <circle r="7" fill="var(--surface)" />
        <path d="M-13 0H13" />
      </g>
      <text x={to} y={y - 26} textAnchor="end" className="stair-end">
        after all steps {bill}
      </text>
    </g>
  )
}

const lineOf = (treads: readonly Stair[]) =>
  treads.map(({ from, to, y }, index) => `${index === 0 ? `M${from} ${y}` : `V${y}`}H${to}`).join('')

const areaOf = (treads: readonly Stair[], bottom: number) =>
  treads.length === 0 ? '' : `${lineOf(treads)}V${bottom}H${treads[0]?.from ?? 0}Z`
