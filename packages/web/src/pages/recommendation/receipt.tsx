import type { Evidence, Preview, RecommendationWithEvidence } from '@plimsoll/contract'
import { useState } from 'react'
import { usePreview } from '../../parts/moves.ts'
import { exactDollars, exactlyAddedUp, rateDollars } from '../../format/money.ts'
import { count } from '../../format/quantity.ts'
import { lineFormula, sourceWords } from '../../format/saving-line.ts'
import { Tag } from '../../parts/state-tags.tsx'
import { Section } from '../../parts/section.tsx'
import { calculatedOn } from './current-step.ts'

/** The savings line by line, estimated and bankable, and the node prices. */
export function Receipt({ recommendation }: { recommendation: RecommendationWithEvidence }) {
  const { evidence, estimated_savings: estimated, bankable_savings: bankable } = recommendation
  const { id, status, bankable_because: because } = recommendation
  const isOpen = status === 'pending' || status === 'approved'
  const lines = evidence?.saving.lines ?? []
  const amounts = exactlyAddedUp(lines.map((line) => line.usd_per_month))
  return (
    <Section title="Savings calculation" meta={calculatedOn(recommendation)} end="$/month">
      <dl className={columns}>
        {lines.map((line, index) => (
          <SavingLine key={index} line={line} amount={amounts.parts[index] ?? ''} />
        ))}
        {lines.length > 0 && <div className="col-span-2 my-1 border-t border-rule-strong" />}
        <dt>Estimated</dt>
        <dd className="text-right">{exactDollars(estimated)}</dd>
        {bankable !== null && bankable !== estimated && (
          <>
            <dt className="text-ink-2">{whyOtherwise(estimated, bankable)}</dt>
            <dd className="text-right">{exactDollars(bankable - estimated)}</dd>
          </>
        )}
        {bankable !== null && (
          <>
            <dt className="font-semibold">Bankable{isOpen && ': share of the plan step'}</dt>
            <dd className="text-right font-semibold">{exactDollars(bankable)}</dd>
          </>
        )}
        {bankable !== null && isOpen && !isOutsideNodes(recommendation) && <Alone id={id} />}
      </dl>
      {because !== null && <p className="mt-1 text-sm text-ink-3">{because}</p>}
      {evidence && evidence.prices.length > 0 && <NodePrices prices={evidence.prices} />}
    </Section>
  )
}

const outsideNodes = ['PersistentVolume', 'Service', 'ControlPlane', 'ResourceQuota']

/** Such objects do not run on nodes: their savings are the same alone and together. */
const isOutsideNodes = ({ change: { object } }: RecommendationWithEvidence) => outsideNodes.includes(object.kind)

function whyOtherwise(estimated: number, bankable: number): string {
  if (bankable < estimated) return 'Not bankable'
  return estimated < 0 ? 'Covered by unallocated capacity' : 'Unallocated capacity of removed nodes'
}

/** Computed on request, because it simulates the scheduler. */
function Alone({ id }: { id: string }) {
  const [isAsked, setAsked] = useState(false)
  const { preview, hasFailed } = usePreview(isAsked ? [id] : [])
  if (!isAsked) {
    return (
      <dd className="col-span-2">
        <button type="button" className="link text-sm" onClick={() => setAsked(true)}>
          Calculate savings if applied alone
        </button>
      </dd>
    )
  }
  const { nodes_freed: freed = [] } = preview ?? {}
  return (
    <>
      <dt className="text-ink-2">
        Bankable savings of this change alone{freed.length > 0 && ` (removes ${count(freed.length, 'node')})`}
      </dt>
      <dd className="text-right" aria-live="polite">
        {preview ? leaving(preview) : hasFailed ? 'could not be calculated' : 'calculating …'}
      </dd>
    </>
  )
}

const leaving = ({ bankable_savings: bankable, unattributed_savings: beside }: Preview) =>
  bankable === null ? 'not computed' : exactDollars(bankable + (beside ?? 0))

const columns = 'grid grid-cols-[1fr_auto] gap-x-4 gap-y-1'

function SavingLine({ line, amount }: { line: Evidence['saving']['lines'][number]; amount: string }) {
  const how = [lineFormula(line), sourceWords(line)].filter((words) => words !== '')
  return (
    <>
      <dt className="[overflow-wrap:anywhere]">
        {line.what} {line.estimated && <Tag>estimated</Tag>}
      </dt>
      <dd className="text-right">{amount}</dd>
      {how.length > 0 && <Below>{how.join(' · ')}</Below>}
    </>
  )
}

function NodePrices({ prices }: { prices: Evidence['prices'] }) {
  return (
    <>
      <p className="mt-3 mb-1 text-sm text-ink-2">Node prices</p>
      <dl className={columns}>
        {prices.map((price) => (
          <div key={price.rate_id} className="contents">
            <dt className="[overflow-wrap:anywhere]">
              {price.node_class} {price.estimated && <Tag>estimated</Tag>}
            </dt>
            <dd className="text-right">
              {price.node_usd_per_hour === null ? (
                <Tag tone="warn">not priced</Tag>
              ) : (
                `${rateDollars(price.node_usd_per_hour)}/h`
              )}
            </dd>
            {price.source !== null && <Below>{sourceWords(price)}</Below>}
            {price.cpu_usd_per_core_month !== null && (
              <Row name="per vCPU-month" value={exactDollars(price.cpu_usd_per_core_month)} />
            )}
            {price.memory_usd_per_gib_month !== null && (
              <Row name="per GiB-month" value={exactDollars(price.memory_usd_per_gib_month)} />
            )}
            {price.gpu_usd_per_gpu_month !== null && (
              <Row name="per GPU-month" value={exactDollars(price.gpu_usd_per_gpu_month)} />
            )}
          </div>
        ))}
      </dl>
    </>
  )
}

function Below({ children }: { children: string }) {
  return <dd className="col-span-2 text-sm text-ink-3 [overflow-wrap:anywhere]">{children}</dd>
}

function Row({ name, value }: { name: string; value: string }) {
  return (
    <>
      <dt className="text-sm text-ink-3">{name}</dt>
      <dd className="text-right text-sm text-ink-3">{value}</dd>
    </>
  )
}
