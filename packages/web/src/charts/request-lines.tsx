import { spreadLabels } from './line-labels.ts'

/** The request that another tool recommends. */
export type Rival = { name: string; value: number }

export type LimitLine = { value: number; word: string; isProposed: boolean }

type Props = {
  current: number | null
  proposed: number | null
  rivals: readonly Rival[]
  limits?: readonly LimitLine[]
  y: (value: number) => number
  from: number
  to: number
  /** The vertical range of labels. */
  bounds: { low: number; high: number }
  format: (value: number) => string
}

const lineHeight = 15
const gapToLabel = 14

type Line = { value: number; kind: 'current' | 'proposed' | 'rival' | 'limit' | 'new limit'; word: string }

/** Lines for the current and the proposed request, and thin lines for other tools, each with a label. */
export function RequestLines({ current, proposed, rivals, limits = [], y, from, to, bounds, format }: Props) {
  const isSame = current !== null && current === proposed
  // A limit equal to the proposal has the line and the label of the proposal.
  const equal = limits.filter(({ value }) => value === proposed && !isSame)
  const lines: Line[] = [
    ...limits
      .filter((limit) => !equal.includes(limit))
      .map(({ value, word, isProposed }): Line => ({ value, kind: isProposed ? 'new limit' : 'limit', word })),
    ...rivals.map(({ name, value }): Line => ({ value, kind: 'rival', word: name })),
    ...(current === null ? [] : [{ value: current, kind: 'current', word: isSame ? 'stays' : 'request' } as const]),
    ...(proposed === null || isSame
      ? []
      : [{ value: proposed, kind: 'proposed', word: equal.map(({ word }) => `= ${word}`).join('') } as const]),
  ]
  const labels = spreadLabels(
    lines.map(({ value }) => y(value)),
    { gap: lineHeight, ...bounds },
  )
  return lines.map(({ value, kind, word }, index) => {
    const at = { from, to, y: y(value), label: labels[index] ?? y(value), text: format(value) }
    if (kind === 'limit' || kind === 'new limit')
      return <Limit key={kind} {...at} word={word} colour={kind === 'limit' ? 'var(--danger)' : 'var(--accent)'} />
    if (kind === 'rival') return <RivalLine key={word} {...at} name={word} />
    return kind === 'current' ? (
      <CurrentLine key={kind} {...at} word={word} />
    ) : (
      <ProposedLine key={kind} {...at} word={word} />
    )
  })
}

type LineProps = { from: number; to: number; y: number; label: number; text: string }

function CurrentLine({ from, to, y, label, text, word }: LineProps & { word: string }) {
  return (
    <g>
      <line x1={from} x2={to} y1={y} y2={y} stroke="var(--ink)" strokeWidth="2" />
      <text x={to + gapToLabel} y={label + 4}>
        <tspan fill="var(--ink)" fontWeight="600">
          {text}
        </tspan>{' '}
        {word}
      </text>
    </g>
  )
}

/** Thicker than a request: usage cannot pass it. */
function Limit({ from, to, y, label, text, word, colour }: LineProps & { word: string; colour: string }) {
  return (
    <g>
      <line x1={from} x2={to} y1={y} y2={y} stroke={colour} strokeWidth="2.5" strokeDasharray="12 3" />
      <text x={to + gapToLabel} y={label + 4}>
        <tspan fill={colour} fontWeight="600">
          {text}
        </tspan>{' '}
        {word}
      </text>
    </g>
  )
}

/** Ends in the Plimsoll mark. */
function ProposedLine({ from, to, y, label, text, word }: LineProps & { word: string }) {
  return (
    <g stroke="var(--accent)">
      <line x1={from} x2={to} y1={y} y2={y} strokeWidth="2" strokeDasharray="6 4" />
      <circle cx={to} cy={y} r="5" fill="var(--surface)" strokeWidth="2" />
      <line x1={to - 9} x2={to + 9} y1={y} y2={y} strokeWidth="2" />
      <text x={to + gapToLabel} y={label + 4} stroke="none">
        <tspan fill="var(--accent)" fontWeight="600">
          {text}
        </tspan>{' '}
        {word}
      </text>
    </g>
  )
}

/** A leader line connects a moved label. */
function RivalLine({ from, to, y, label, text, name }: LineProps & { name: string }) {
  return (
    <g>
      <line x1={from} x2={to} y1={y} y2={y} stroke="var(--surface)" strokeWidth="2.5" opacity="0.6" />
      <line x1={from} x2={to} y1={y} y2={y} stroke="var(--ink-2)" strokeWidth="1.2" strokeDasharray="1.5 3" />
      <path d={`M${to} ${y}L${to + gapToLabel - 3} ${label}`} stroke="var(--ink-3)" strokeWidth="0.8" fill="none" />
      <text x={to + gapToLabel} y={label + 4}>
        {name} {text}
      </text>
    </g>
  )
}
