import type { CSSProperties, ReactNode } from 'react'
import { dollars } from '../format/money.ts'
import { percent } from '../format/quantity.ts'
import { Mark } from './mark.tsx'

export type Classes = { workload: number; workload_idle: number; cluster_idle: number }

export const classWords = [
  {
    key: 'workload',
    word: 'Used',
    className: 'money-used',
    how: 'Price × the smaller of use and request, container by container',
  },
  {
    key: 'workload_idle',
    word: 'Reserved, idle',
    className: 'money-reserved',
    how: 'Price × what was requested beyond the use',
  },
  {
    key: 'cluster_idle',
    word: 'Never asked for',
    className: 'hatch',
    how: 'Price × what the nodes have and nobody requested',
  },
] as const

export type ClassKey = (typeof classWords)[number]['key']

/** What was seen to be used: GPUs are charged by request, and nobody measures their use. */
export const seenUse = ({ workload, unmeasured }: { workload: number; unmeasured: number }) => workload - unmeasured

export const unmeasuredNote = (unmeasured: number) =>
  unmeasured > 0
    ? `Of it ${dollars(unmeasured)} is GPUs: they are charged by request, and their use is not measured.`
    : 'Use that nobody saw counts as used, never as idle.'

export const totalOf = ({ workload, workload_idle: idle, cluster_idle: unasked }: Classes) => workload + idle + unasked

/** Shares of less than one would leave a part of the bar empty, so cents are counted in thousandths. */
export const parts = (money: number) => money * 1000

type Props = { classes: Classes; loadLine: { at: number; word: string } | null }

/** Used, reserved and never asked for, in one bar; the mark shows where it would float after the change. */
export function MoneyBar({ classes, loadLine }: Props) {
  const total = totalOf(classes)
  const share = loadLine && total > 0 ? Math.min(1, Math.max(0, loadLine.at / total)) : null
  const label = classWords.map(({ key, word }) => `${word} ${dollars(classes[key])}`).join(', ')
  return (
    <div>
      {loadLine && share !== null ? (
        <div className="load-line">
          <div className="at" style={{ left: `${share * 100}%` }}>
            <span className={`text ${share < 0.5 ? 'after' : ''}`}>
              {loadLine.word} {dollars(loadLine.at)}
            </span>
            <Mark size={18} />
            <span className="stem" />
          </div>
        </div>
      ) : null}
      <div className="money-bar" role="img" aria-label={label}>
        {classWords.map(({ key, className }) =>
          classes[key] > 0 ? <div key={key} className={className} style={{ flex: parts(classes[key]) }} /> : null,
        )}
      </div>
    </div>
  )
}

type FiguresProps = {
  classes: Classes & { unmeasured: number }
  children: (key: ClassKey, index: number) => ReactNode
}

/** The three amounts under their bar, each with its share, and what of the use nobody saw. */
export function ClassFigures({ classes, children }: FiguresProps) {
  return (
    <div className="class-figures" style={{ '--classes': columnsOf(classes) } as CSSProperties}>
      {classWords.map(({ key, word, className }, index) => (
        <div key={key} className="flex items-baseline justify-between gap-2 phone:block">
          <p className="flex items-center gap-1.5 text-ink-2">
            <span className={`swatch ${className}`} />
            {word}
          </p>
          <p className="text-right text-lg font-semibold phone:text-left">
            {children(key, index)}{' '}
            <span className="text-sm font-normal text-ink-3">{shareOf(classes[key], totalOf(classes))}</span>
            {key === 'workload' && classes.unmeasured > 0 && (
              <span className="block text-sm font-normal text-ink-3">
                of it {dollars(classes.unmeasured)} GPUs, use not measured
              </span>
            )}
          </p>
        </div>
      ))}
    </div>
  )
}

/** Each amount stands under its part of the bar, as long as that is not too narrow for it. */
const columnsOf = (classes: Classes) =>
  classWords.map(({ key }) => `minmax(116px, ${parts(classes[key]) || 1}fr)`).join(' ')

export function MiniBar({ classes, max }: { classes: Classes; max: number }) {
  const width = max > 0 ? (100 * totalOf(classes)) / max : 0
  return (
    <div className="mini-bar" style={{ width: `${width}%` }} aria-hidden="true">
      {classWords.map(({ key, className }) =>
        classes[key] > 0 ? <div key={key} className={className} style={{ flex: parts(classes[key]) }} /> : null,
      )}
    </div>
  )
}

export function Legend() {
  return (
    <ul className="flex flex-wrap gap-x-4 gap-y-1 text-sm text-ink-2">
      {classWords.map(({ key, word, className }) => (
        <li key={key} className="flex items-center gap-1.5">
          <span className={`swatch ${className}`} />
          {word.toLowerCase()}
        </li>
      ))}
    </ul>
  )
}

export const shareOf = (part: number, total: number) => (total > 0 ? percent(part / total) : '–')
