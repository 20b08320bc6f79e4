import type { Overview, OverviewCluster } from '@plimsoll/contract'
import { Link, useSearch } from '@tanstack/react-router'
import { useState } from 'react'
import { percent } from '../../format/quantity.ts'
import { ago, utc } from '../../format/time.ts'
import { clusterLabels, neutral } from '../../format/labels.ts'
import { State } from '../../parts/state-tags.tsx'
import { useNow } from '../../parts/now.ts'
import { Section } from '../../parts/section.tsx'
import { WithheldDialog } from '../recommendations/withheld-dialog.tsx'
import { nameIn } from './name-in.ts'

export function Agents({ overview }: { overview: Overview }) {
  const { clusters, recommendations } = overview
  return (
    <Section title="Agents" end="Usage coverage, last 24 hours">
      <ul>
        {clusters.slice(0, 8).map((cluster) => (
          <Agent key={cluster.id} cluster={cluster} />
        ))}
        {recommendations && recommendations.withheld > 0 && (
          <Withheld overview={overview} count={recommendations.withheld} />
        )}
      </ul>
    </Section>
  )
}

function Withheld({ overview, count }: { overview: Overview; count: number }) {
  const { cluster } = useSearch({ strict: false })
  const [isOpen, setOpen] = useState(false)
  return (
    <li className="flex items-baseline justify-between gap-3 border-b border-rule py-1.5">
      <div>
        <button type="button" className="link font-medium" onClick={() => setOpen(true)}>
          Withheld recommendations
        </button>
        <p className="text-sm text-ink-2">Show the reasons</p>
      </div>
      {count}
      {isOpen && <WithheldDialog clusterId={cluster} nameOf={nameIn(overview)} onClose={() => setOpen(false)} />}
    </li>
  )
}

function Agent({ cluster }: { cluster: OverviewCluster }) {
  const now = useNow()
  const { tone, word } = clusterLabels[cluster.status]
  const failing = cluster.conditions.filter(({ ok }) => !ok)
  const source = cluster.conditions.find(({ type, ok }) => type === 'usage' && ok)?.reason
  const seen = cluster.last_seen_at
  return (
    <li className="border-b border-rule py-1.5">
      <div className="flex items-baseline justify-between gap-3">
        <Link
          to="/clusters/$clusterId"
          params={{ clusterId: cluster.id }}
          className="truncate font-medium hover:underline"
        >
          {cluster.name}
        </Link>
        <span>{percent(cluster.usage_coverage)}</span>
      </div>
      <p className="text-sm">
        <State tone={cluster.node_count === 0 ? neutral(tone) : tone}>
          <span title={seen === null ? undefined : utc(seen)}>
            {cluster.status === 'active' && seen !== null ? ago(seen, now) : word}
          </span>
        </State>{' '}
        {source !== undefined && <span className="text-ink-3">· usage from {source}</span>}
      </p>
      {failing.map(({ type, message }) => (
        <p key={type} className="text-sm text-ink-2">
          {message}
        </p>
      ))}
    </li>
  )
}
