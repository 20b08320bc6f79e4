import type { RecommendationWithEvidence } from '@plimsoll/contract'
import { exactDollars, rateDollars } from '../../format/money.ts'
import { Tag } from '../../parts/marks.tsx'
import { Section } from '../../parts/section.tsx'

export function Receipt({ recommendation }: { recommendation: RecommendationWithEvidence }) {
  const {
    evidence,
    estimated_savings: estimated,
    bankable_savings: bankable,
    bankable_because: because,
  } = recommendation
  const prices = evidence?.prices ?? []
  return (
    <Section title="Receipt" end="$/mo">
      <dl className="grid grid-cols-[1fr_auto] gap-x-4 gap-y-1">
        {prices.map((price) => (
          <div key={price.rate_id} className="contents">
            <dt className="[overflow-wrap:anywhere]">
              {nodeClassName(price.node_class)} {price.estimated && <Tag>estimated</Tag>}
            </dt>
            <dd className="text-right">
              {price.node_usd_per_hour === null ? (
                <Tag tone="warn">unpriced</Tag>
              ) : (
                `${rateDollars(price.node_usd_per_hour)} /h`
              )}
            </dd>
            {price.cpu_usd_per_core_month !== null && (
              <Row name="of which a core, a month" value={exactDollars(price.cpu_usd_per_core_month)} />
            )}
            {price.memory_usd_per_gib_month !== null && (
              <Row name="of which a GiB, a month" value={exactDollars(price.memory_usd_per_gib_month)} />
            )}
            {price.gpu_usd_per_gpu_month !== null && (
              <Row name="of which a GPU, a month" value={exactDollars(price.gpu_usd_per_gpu_month)} />
            )}
          </div>
        ))}
        {prices.length > 0 && <div className="col-span-2 my-1 border-t border-rule-strong" />}
        <dt>Estimated</dt>
        <dd className="text-right">{exactDollars(estimated)}</dd>
        {bankable !== null && bankable !== estimated && (
          <>
            <dt className="text-ink-2">{bankable > estimated ? 'Goes with whole nodes' : 'Does not leave the bill'}</dt>
            <dd className="text-right">{exactDollars(bankable - estimated)}</dd>
          </>
        )}
        {bankable !== null && (
          <>
            <dt className="font-semibold">Bankable, its share if all open advice is followed</dt>
            <dd className="text-right font-semibold">{exactDollars(bankable)}</dd>
          </>
        )}
      </dl>
      {because !== null && <p className="mt-1 text-sm text-ink-3">{because}</p>}
    </Section>
  )
}

function Row({ name, value }: { name: string; value: string }) {
  return (
    <>
      <dt className="text-sm text-ink-3">{name}</dt>
      <dd className="text-right text-sm text-ink-3">{value}</dd>
    </>
  )
}

/** A class is named by all that its price depends on; people know it by its type. */
function nodeClassName(text: string): string {
  try {
    const { query } = JSON.parse(text) as { query?: { instanceType?: string; region?: string; capacityType?: string } }
    const words = [query?.instanceType, query?.region, query?.capacityType].filter((word) => word !== undefined)
    return words.length === 0 ? text : words.join(', ')
  } catch {
    return text
  }
}
