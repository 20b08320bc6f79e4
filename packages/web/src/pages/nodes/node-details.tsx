import type { ClusterNode, NodeList } from '@plimsoll/contract'
import { useEffect, useRef, type RefObject } from 'react'
import { addedUp, dollars, rateDollars } from '../../format/money.ts'
import { bytes, days, percent, vcpus, withUnits } from '../../format/quantity.ts'
import { completeThrough, day } from '../../format/time.ts'
import { shortName } from '../../parts/change-text.tsx'
import { Tag } from '../../parts/state-tags.tsx'
import { useNow } from '../../parts/now.ts'
import { sharesOf } from '../../parts/money-bar.tsx'
import { amountOf, wordsFor } from '../../parts/money-classes.ts'
import { Section } from '../../parts/section.tsx'
import { isBlocked } from './verdicts.ts'

const hoursOfMonth = 730

export const windowWords = (hours: number) => (hours > 24 && hours % 24 === 0 ? days(hours) : `${hours} h`)

/** Scrolls to the details if they open below the visible part of the page. */
function useIntoView(picked: string | null): RefObject<HTMLDivElement | null> {
  const place = useRef<HTMLDivElement>(null)
  useEffect(() => {
    if (picked === null || place.current === null) return
    if (place.current.getBoundingClientRect().top > innerHeight - 160) place.current.scrollIntoView({ block: 'start' })
  }, [picked])
  return place
}

type Props = { node: ClusterNode; list: Pick<NodeList, 'window' | 'as_of' | 'partial'>; isPicked: boolean }

export function NodeDetails({ node, list, isPicked }: Props) {
  const now = useNow()
  const { price, cost } = node
  const place = useIntoView(isPicked ? node.uid : null)
  const { parts, total } = addedUp(wordsFor(cost).map(({ key }) => amountOf(cost, key)))
  const ofTotal = sharesOf(cost)
  return (
    <div ref={place} className="grid scroll-mt-16 content-start gap-6">
      <Section title={<span title={node.name}>{shortName(node.name, 'Node')}</span>} meta={node.pool} end={node.zone}>
        <p className="fig-2">
          {price.usd_per_hour === null ? (
            <Tag tone="warn">not priced</Tag>
          ) : (
            <>
              {dollars(price.usd_per_hour * hoursOfMonth)}
              <span className="unit">/month</span>
            </>
          )}
        </p>
        <p className="text-sm text-ink-3">node price × {hoursOfMonth} h</p>
        <p className="mt-3 flex justify-between gap-4 border-b border-rule pb-1">
          <span className="text-ink-2">Cost in the last {windowWords(list.window.hours)}</span>
          <b>{total}</b>
        </p>
        {typeof list.as_of === 'string' && list.partial !== true && (
          <p className="text-sm text-ink-3">{completeThrough(list.as_of, now)}</p>
        )}
        <dl className="mt-1 grid grid-cols-[1fr_auto] gap-y-1">
          {wordsFor(cost).map(({ key, word, className }, index) => (
            <div key={key} className="contents">
              <dt className="flex items-center gap-1.5 text-ink-2">
                <span className={`swatch ${className}`} />
                {word}
              </dt>
              <dd className="text-right">
                {parts[index]} <span className="text-ink-3">{ofTotal[index]}</span>
              </dd>
            </div>
          ))}
        </dl>
      </Section>
      <Section title="Why this node cannot be removed">
        <WhyStillHere verdict={node.why_still_here} />
      </Section>
      <Section title="Price" end={price.estimated ? <Tag>estimated</Tag> : 'from the price list'}>
        <dl className="grid grid-cols-[1fr_auto] gap-x-4 gap-y-1">
          <dt className="text-ink-2">
            {node.instance_type}, {node.capacity_type}
          </dt>
          <dd className="text-right">
            {price.usd_per_hour === null ? 'not priced' : `${rateDollars(price.usd_per_hour)}/h`}
          </dd>
          <dt className="text-ink-2">Size</dt>
          <dd className="text-right">
            {vcpus(node.capacity.cpu_cores)}, {bytes(node.capacity.memory_bytes)}
            {node.capacity.gpus > 0 && `, ${node.capacity.gpus} GPU`}
          </dd>
          <dt className="text-ink-2">CPU requested</dt>
          <dd className="text-right">{fraction(node.cpu_allocated_percent)}</dd>
          <dt className="text-ink-2">Memory requested</dt>
          <dd className="text-right">{fraction(node.memory_allocated_percent)}</dd>
          <dt className="text-ink-2">Created</dt>
          <dd className="text-right">{day(node.first_seen_at)}</dd>
        </dl>
      </Section>
    </div>
  )
}

const fraction = (value: number | null) => percent(value === null ? null : value / 100)

/** What blocks the removal of the node, and its cost. */
function WhyStillHere({ verdict }: { verdict: ClusterNode['why_still_here'] }) {
  if (!verdict) return <p className="text-ink-3">Not analyzed in the last run.</p>
  return (
    <>
      <p>{withUnits(verdict.message)}</p>
      {verdict.savings > 0 ? (
        <p className="mt-1 text-ink-2">
          {isBlocked(verdict) && 'Without this blocker, the pods fit on other nodes. '}
          Removing this node saves <span className="font-medium text-ink">{dollars(verdict.savings)}</span>/month.
        </p>
      ) : (
        verdict.pods_fit_elsewhere && (
          <p className="mt-1 text-ink-2">Without this blocker, the pods fit on other nodes.</p>
        )
      )}
    </>
  )
}
