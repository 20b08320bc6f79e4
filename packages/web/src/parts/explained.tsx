import { Popover } from 'radix-ui'
import type { ReactNode } from 'react'
import { addedUp, exactDollars } from '../format/money.ts'

/** Null: not computed. */
export type Part = { name: string; usd: number | null }

type Props = {
  children: ReactNode
  title: string
  how: string
  parts?: readonly Part[]
  /** The label of the total; without it the parts are not summed. */
  sum?: string
  note?: ReactNode
}

/** A number with an explanation: definition, parts and their sources. */
export function Explained({ children, title, how, parts = [], sum, note }: Props) {
  const { parts: shown, total } = addedUp(parts.map(({ usd }) => usd ?? 0))
  return (
    <Popover.Root>
      <Popover.Trigger className="explained">{children}</Popover.Trigger>
      <Popover.Portal>
        <Popover.Content className="pop" align="start" sideOffset={6} collisionPadding={12} aria-label={title}>
          <p className="font-semibold">{title}</p>
          <p className="text-ink-3">{how}</p>
          {parts.length > 0 && (
            <dl>
              {parts.map(({ name, usd }, index) => (
                <Row key={name} name={name} value={sum === undefined ? alone(usd) : (shown[index] ?? '')} />
              ))}
              {sum !== undefined && <Row name={sum} value={total} isSum />}
            </dl>
          )}
          {note !== undefined && <div className="text-ink-3">{note}</div>}
        </Popover.Content>
      </Popover.Portal>
    </Popover.Root>
  )
}

const alone = (usd: number | null) => (usd === null ? 'not computed' : exactDollars(usd))

function Row({ name, value, isSum = false }: { name: string; value: string; isSum?: boolean }) {
  return (
    <>
      <dt className={isSum ? 'sum' : ''}>{name}</dt>
      <dd className={isSum ? 'sum' : ''}>{value}</dd>
    </>
  )
}
