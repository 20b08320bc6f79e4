import type { Evidence } from '@plimsoll/contract'
import { dollars } from '../../format/money.ts'
import { bytes, cores } from '../../format/quantity.ts'
import { lowerFirst } from '../../parts/money-bar.tsx'
import { Section } from '../../parts/section.tsx'
import { shortageWords, sweepOf, type Candidate, type Placed, type Resource } from './sweeps.ts'

type Props = { evidence: Evidence; savings: number; picked: number | null; onPick: (index: number | null) => void }

type Swept = {
  name: string
  resource: Resource
  format: (value: number) => string
  other: { name: string; resource: Resource; format: (value: number) => string }
  /** The shortage of each request and its unit. */
  shortage: (candidate: Candidate) => number
  counted: string
}

const cpu = { name: 'CPU', resource: 'cpu_millicores', format: cores } as const
const memory = { name: 'Memory', resource: 'memory_bytes', format: bytes } as const

const resources: Swept[] = [
  { ...cpu, other: memory, shortage: ({ minutes_short: minutes }) => minutes, counted: 'minutes short of CPU' },
  { ...memory, other: cpu, shortage: ({ oom_days: days }) => days, counted: 'days short of memory' },
]

/** Other requests from the evidence, each with its savings and shortage. */
export function SafetyMargin({ evidence, savings, picked, onPick }: Props) {
  return (
    <Section
      title="Safety margin"
      meta="Savings and shortage for other request values. Moving the slider does not change the recommendation."
      end={
        picked !== null && (
          <button type="button" className="font-semibold text-ink hover:underline" onClick={() => onPick(null)}>
            Reset to proposal
          </button>
        )
      }
    >
      <div className="grid gap-4">
        {resources.map((swept) => {
          const candidates = sweepOf(evidence, savings, swept.resource)
          return (
            candidates.length > 1 && (
              <Sweep
                key={swept.name}
                swept={swept}
                candidates={candidates}
                evidence={evidence}
                picked={picked}
                onPick={onPick}
              />
            )
          )
        })}
      </div>
    </Section>
  )
}

type SweepProps = Pick<Props, 'picked' | 'onPick'> & {
  swept: Swept
  candidates: readonly Placed[]
  evidence: Evidence
}

function Sweep({ swept, candidates, evidence, picked, onPick }: SweepProps) {
  const placeOf = (wanted: number | null) => candidates.findIndex(({ place }) => place === wanted)
  // While the other slider moves, this slider shows the proposal.
  const index = placeOf(picked) === -1 ? placeOf(null) : placeOf(picked)
  const candidate = candidates[index]
  if (!candidate) return null
  const { name, resource, format, shortage } = swept
  const shortages = candidates.map(shortage)
  const isEverShort = shortages.some((each) => each > 0)
  return (
    <div>
      <Meaning swept={swept} candidate={candidate} isEverShort={isEverShort} />
      {isEverShort && <Shortage shortages={shortages} index={index} />}
      <input
        type="range"
        className="slider"
        aria-label={`${name} request`}
        aria-valuetext={valueOf(candidate, swept)}
        min={0}
        max={candidates.length - 1}
        value={index}
        onChange={(event) => onPick(candidates[Number(event.target.value)]?.place ?? null)}
      />
      <p className="-mt-1 flex justify-between text-xs text-ink-3" aria-hidden="true">
        {[candidates[0], candidates.at(-1)].map((end, at) => (
          <span key={at}>{format(end?.[resource] ?? 0)}</span>
        ))}
      </p>
      <Outcome swept={swept} candidate={candidate} evidence={evidence} />
    </div>
  )
}

type MeaningProps = { swept: Swept; candidate: Placed; isEverShort: boolean }

/** What this slider changes, and the unit of the bars above it. */
function Meaning({ swept: { name, other, counted }, candidate, isEverShort }: MeaningProps) {
  return (
    <p className="mb-1 flex flex-wrap justify-between gap-x-4 text-sm text-ink-3">
      <span>
        <b className="text-ink">{name} request</b>
        {candidate[other.resource] !== null && ` (${lowerFirst(other.name)} ${valueOf(candidate, other)})`}
      </span>
      {isEverShort ? (
        <span className="flex items-center gap-1.5">
          <span className="swatch bg-[var(--band-90)]" aria-hidden="true" />
          {counted}, by request
        </span>
      ) : (
        <span>no shortage at any value</span>
      )}
    </p>
  )
}

function Outcome({ swept, candidate, evidence }: { swept: Swept; candidate: Placed; evidence: Evidence }) {
  return (
    <p className="mt-1 flex flex-wrap gap-x-6 text-ink-2" aria-live="polite">
      <span>
        {swept.name} request <b className="text-accent">{valueOf(candidate, swept)}</b>
        {candidate.place === null && ', as proposed'}
      </span>
      <span>
        {candidate.estimated_savings < 0 ? 'costs' : 'saves'}{' '}
        <b className="text-ink">{dollars(Math.abs(candidate.estimated_savings))}</b>/month{' '}
        {candidate.estimated_savings < 0 ? 'more' : 'estimated'}
      </span>
      <span className={swept.resource === 'memory_bytes' && swept.shortage(candidate) > 0 ? 'tone-warn' : ''}>
        {shortageWords(candidate, swept.resource, evidence)}
      </span>
    </p>
  )
}

const valueOf = (candidate: Candidate, { resource, format }: Pick<Swept, 'resource' | 'format'>) =>
  format(candidate[resource] ?? 0)

/** Shortage by candidate, smallest request first. */
function Shortage({ shortages, index }: { shortages: readonly number[]; index: number }) {
  const most = Math.max(1, ...shortages)
  return (
    <div className="flex h-10 items-end gap-px" aria-hidden="true">
      {shortages.map((shortage, each) => (
        <span
          key={each}
          className={`grow ${each === index ? 'bg-accent' : 'bg-[var(--band-90)]'}`}
          style={{ height: `${Math.max(2, (100 * shortage) / most)}%` }}
        />
      ))}
    </div>
  )
}
