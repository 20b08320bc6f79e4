import type { Alert } from '@plimsoll/contract'
import { Link } from '@tanstack/react-router'
import { moneyText } from '../format/alert-labels.ts'
import { ago } from '../format/time.ts'
import { useNow } from './now.ts'
import { Section } from './section.tsx'
import { State } from './state-tags.tsx'

/** Open incidents; the title names the cause. Nothing is shown without one. */
export function Incidents({ incidents }: { incidents: readonly Alert[] }) {
  const now = useNow()
  if (incidents.length === 0) return null
  return (
    <Section
      title="Open incidents"
      meta="cost above the forecast"
      end={
        <Link to="/settings/$section" params={{ section: 'alerts' }}>
          All alerts
        </Link>
      }
    >
      <ul className="grid gap-2">
        {incidents.map(({ id, title, money, started_at: at, url }) => (
          <li key={id} className="flex flex-wrap items-baseline gap-x-3">
            <State tone="danger">{money === null ? 'Open' : `${moneyText(money)} more`}</State>
            {url === null ? title : <a href={url}>{title}</a>}
            {at !== null && <span className="text-sm text-ink-3">{ago(at, now)}</span>}
          </li>
        ))}
      </ul>
    </Section>
  )
}
