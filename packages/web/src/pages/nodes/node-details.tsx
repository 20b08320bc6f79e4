import type { ClusterNode } from '@plimsoll/contract'
import { useInfiniteQuery } from '@tanstack/react-query'
import { Link, useSearch } from '@tanstack/react-router'
import { recommendationsQuery } from '../../api/queries.ts'
import { useMay } from '../../api/session.ts'
import { dollars, rateDollars } from '../../format/money.ts'
import { bytes, percent } from '../../format/quantity.ts'
import { date } from '../../format/time.ts'
import { Tag } from '../../parts/marks.tsx'
import { classWords, shareOf } from '../../parts/money-bar.tsx'
import { Section } from '../../parts/section.tsx'

const hoursOfMonth = 730

export function NodeDetails({ node, hours }: { node: ClusterNode; hours: number }) {
  const { price, cost } = node
  return (
    <div className="grid content-start gap-6">
      <Section title={node.name} meta={node.pool} end={node.zone}>
        <p className="fig-2">
          {price.usd_per_hour === null ? (
            <Tag tone="warn">unpriced</Tag>
          ) : (
            <>
              {dollars(price.usd_per_hour * hoursOfMonth)}
              <span className="unit">/mo</span>
            </>
          )}
        </p>
        <dl className="mt-2 grid grid-cols-[1fr_auto] gap-y-1">
          {classWords.map(({ key, word, className }) => (
            <div key={key} className="contents">
              <dt className="flex items-center gap-1.5 text-ink-2">
                <span className={`swatch ${className}`} />
                {word}
              </dt>
              <dd className="text-right">
                {dollars(cost[key])} <span className="text-ink-3">{shareOf(cost[key], cost.total)}</span>
              </dd>
            </div>
          ))}
        </dl>
        <p className="mt-1 text-sm text-ink-3">in the {hours} hours of this window</p>
        <AdviceOf name={node.name} />
      </Section>
      <Section title="Price" end={price.estimated ? <Tag>estimated</Tag> : 'by the book'}>
        <dl className="grid grid-cols-[1fr_auto] gap-x-4 gap-y-1">
          <dt className="text-ink-2">
            {node.instance_type}, {node.capacity_type}
          </dt>
          <dd className="text-right">
            {price.usd_per_hour === null ? 'none' : `${rateDollars(price.usd_per_hour)} /h`}
          </dd>
          <dt className="text-ink-2">Size</dt>
          <dd className="text-right">
            {node.capacity.cpu_cores} vCPU, {bytes(node.capacity.memory_bytes)}
            {node.capacity.gpus > 0 && `, ${node.capacity.gpus} GPU`}
          </dd>
          <dt className="text-ink-2">Allocated CPU, memory</dt>
          <dd className="text-right">
            {fraction(node.cpu_allocated_percent)}, {fraction(node.memory_allocated_percent)}
          </dd>
          <dt className="text-ink-2">There since</dt>
          <dd className="text-right">{date(node.first_seen_at)}</dd>
        </dl>
      </Section>
    </div>
  )
}

const fraction = (value: number | null) => percent(value === null ? null : value / 100)

/** Why is it still here: what the rules say about this node. */
function AdviceOf({ name }: { name: string }) {
  const may = useMay()
  const { cluster } = useSearch({ strict: false })
  const found = useInfiniteQuery({
    ...recommendationsQuery({ cluster, text: name, status: 'pending,approved' }),
    enabled: may('recommendations:read'),
  })
  const rows = found.data?.pages[0]?.recommendations ?? []
  if (rows.length === 0) return <p className="mt-3 text-sm text-ink-3">No advice is open about this node.</p>
  return (
    <ul className="mt-3">
      {rows.slice(0, 3).map(({ id, title, change }) => (
        <li key={id} className="border-t border-rule py-1.5">
          <Link to="/recommendations/$id" params={{ id }} className="font-medium hover:underline">
            {title}
          </Link>
          <p className="text-sm text-ink-2">{change.summary}</p>
        </li>
      ))}
    </ul>
  )
}
