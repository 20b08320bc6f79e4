import type { CSSProperties, ReactNode } from 'react'
import { dollars } from '../format/money.ts'
import { shares } from '../format/quantity.ts'
import { Logo } from './logo.tsx'
import { amountOf, totalOf, wordsFor, type ClassKey, type Classes } from './money-classes.ts'

/** Flex shares below one would leave a part of the bar empty, so amounts are scaled up. */
const parts = (money: number) => money * 1000

type Props = {
  classes: Classes
  /** The amounts as the figures below the bar show them. */
  shownOf: (key: ClassKey, index: number) => string
  loadLine: { at: number; word: string } | null
}

/** Cost by class in one bar; the mark shows the cost after the change. */
export function MoneyBar({ classes, shownOf, loadLine }: Props) {
  const total = totalOf(classes)
  const share = loadLine && total > 0 ? Math.min(1, Math.max(0, loadLine.at / total)) : null
  const label = wordsFor(classes)
    .map(({ key, word }, index) => `${word} ${shownOf(key, index)}`)
    .join(', ')
  return (
    <div>
      {loadLine && share !== null ? (
        <div className="load-line">
          <div className="at" style={{ left: `${share * 100}%` }}>
            <span className={`text ${share < 0.5 ? 'after' : ''}`}>
              {loadLine.word} {dollars(loadLine.at)}
            </span>
            <Logo size={18} />
            <span className="stem" />
          </div>
        </div>
      ) : null}
      <div className="money-bar" role="img" aria-label={label}>
        <BarParts classes={classes} />
      </div>
    </div>
  )
}

/** Segments in proportion to their amounts. */
export function BarParts({ classes, className = '' }: { classes: Classes; className?: string }) {
  return wordsFor(classes)
    .filter(({ key }) => amountOf(classes, key) > 0)
    .map(({ key, className: drawn }) => (
      <span key={key} className={`${drawn} ${className}`} style={{ flex: parts(amountOf(classes, key)) }} />
    ))
}

type FiguresProps = {
  classes: Classes
  children: (key: ClassKey, index: number) => ReactNode
}

/** The amounts below their bar, each with its share. */
export function ClassFigures({ classes, children }: FiguresProps) {
  const ofTotal = sharesOf(classes)
  return (
    <div className="class-figures" style={{ '--classes': columnsOf(classes) } as CSSProperties}>
      {wordsFor(classes).map(({ key, word, className }, index) => (
        <div key={key} className="class-figure">
          <p className="flex items-baseline gap-1.5 text-ink-2">
            <span className={`swatch ${className}`} />
            {word}
          </p>
          <p className="text-lg font-semibold">{children(key, index)}</p>
          <p className="text-sm text-ink-3">{ofTotal[index]}</p>
        </div>
      ))}
    </div>
  )
}

/** Each amount is below its segment, if the digits fit. */
const columnsOf = (classes: Classes) =>
  wordsFor(classes)
    .map(({ key }) => `minmax(72px, ${parts(amountOf(classes, key)) || 1}fr)`)
    .join(' ')

export function MiniBar({ classes, max }: { classes: Classes; max: number }) {
  const width = max > 0 ? (100 * totalOf(classes)) / max : 0
  return (
    <div className="mini-bar" style={{ width: `${width}%` }} aria-hidden="true">
      <BarParts classes={classes} />
    </div>
  )
}

/** The legend; it names unmeasured cost only if there is any. */
export function Legend({ of }: { of: readonly Classes[] }) {
  return (
    <ul className="flex flex-wrap gap-x-4 gap-y-1 text-sm text-ink-2">
      {wordsFor(...of).map(({ key, word, className }) => (
        <li key={key} className="flex items-center gap-1.5">
          <span className={`swatch ${className}`} />
          {lowerFirst(word)}
        </li>
      ))}
    </ul>
  )
}

/** GPU stays GPU. */
export const lowerFirst = (word: string) =>
  /^[A-Z]{2}/.test(word) ? word : word.charAt(0).toLowerCase() + word.slice(1)

/** In the order of the classes; the shown shares add up to 100 %. */
export const sharesOf = (classes: Classes) => shares(wordsFor(classes).map(({ key }) => amountOf(classes, key)))
