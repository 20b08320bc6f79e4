import { Popover } from 'radix-ui'
import type { ReactNode } from 'react'

export type Part = { name: string; value: string }

type Props = { children: ReactNode; title: string; how: string; parts?: Part[]; sum?: Part; note?: ReactNode }

/** A number that explains itself: what it is, its parts, where they come from. */
export function Explained({ children, title, how, parts = [], sum, note }: Props) {
  return (
    <Popover.Root>
      <Popover.Trigger className="explained">{children}</Popover.Trigger>
      <Popover.Portal>
        <Popover.Content className="pop" align="start" sideOffset={6} collisionPadding={12} aria-label={title}>
          <p className="font-semibold">{title}</p>
          <p className="text-ink-3">{how}</p>
          {parts.length > 0 && (
            <dl>
              {parts.map(({ name, value }) => (
                <Row key={name} name={name} value={value} />
              ))}
              {sum && <Row name={sum.name} value={sum.value} isSum />}
            </dl>
          )}
          {note !== undefined && <div className="text-ink-3">{note}</div>}
        </Popover.Content>
      </Popover.Portal>
    </Popover.Root>
  )
}

function Row({ name, value, isSum = false }: Part & { isSum?: boolean }) {
  return (
    <>
      <dt className={isSum ? 'sum' : ''}>{name}</dt>
      <dd className={isSum ? 'sum' : ''}>{value}</dd>
    </>
  )
}
