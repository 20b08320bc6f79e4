import type { Evidence } from '@plimsoll/contract'
import { dollars } from '../../format/money.ts'
import { bytes, cores } from '../../format/quantity.ts'
import { Section } from '../../parts/section.tsx'
import { sweepOf, type Candidate, type Placed, type Resource } from './sweeps.ts'

type Props = { evidence: Evidence; savings: number; picked: number | null; onPick: (index: number | null) => void }

const resources: { name: string; resource: Resource; format: (value: number) => string }[] = [
  { name: 'CPU', resource: 'cpu_millicores', format: cores },
  { name: 'Memory', resource: 'memory_bytes', format: bytes },
]

/** Other requests, looked up in the evidence and never computed here: what each would save, and where it would be short. */
export function HeadRoom({ evidence, savings, picked, onPick }: Props) {
  return (
    <Section
      title="Head-room"
      meta="other requests from the evidence, looked up; the manifest stays with the proposal"
      end={
        picked !== null && (
          <button type="button" className="font-semibold text-ink hover:underline" onClick={() => onPick(null)}>
            Reset to proposal
          </button>
        )
      }
    >
      <div className="grid gap-4">
        {resources.map(({ name, resource, format }) => {
          const candidates = sweepOf(evidence, savings, resource)
          const ends = [candidates[0], candidates.at(-1)].map((each) => format(each?.[resource] ?? 0))
          return (
            candidates.length > 1 && (
              <Sweep key={name} name={name} candidates={candidates} ends={ends} picked={picked} onPick={onPick} />
            )
          )
        })}
      </div>
    </Section>
  )
}

type SweepProps = Pick<Props, 'picked' | 'onPick'> & {
  name: string
  candidates: readonly Placed[]
  ends: readonly string[]
}

function Sweep({ name, candidates, ends, picked, onPick }: SweepProps) {
  const placeOf = (wanted: number | null) => candidates.findIndex(({ place }) => place === wanted)
  // While the other slider is moved, this one stands at the proposal.
  const index = placeOf(picked) === -1 ? placeOf(null) : placeOf(picked)
  const candidate = candidates[index]
  if (!candidate) return null
  return (
    <div>
      <Shortage candidates={candidates} index={index} />
      <input
        type="range"
        className="slider"
        aria-label={`Other requests of ${name}`}
        aria-valuetext={words(candidate)}
        min={0}
        max={candidates.length - 1}
        value={index}
        onChange={(event) => onPick(candidates[Number(event.target.value)]?.place ?? null)}
      />
      <p className="-mt-1 flex justify-between text-xs text-ink-3" aria-hidden="true">
        {ends.map((end, at) => (
          <span key={at}>{end}</span>
        ))}
      </p>
      <Outcome name={name} candidate={candidate} />
    </div>
  )
}

function Outcome({ name, candidate }: { name: string; candidate: Placed }) {
  return (
    <p className="mt-1 flex flex-wrap gap-x-6 text-ink-2" aria-live="polite">
      <span>
        {name}: request <b className="text-accent">{words(candidate)}</b>
        {candidate.place === null && ', as proposed'}
      </span>
      <span>
        saves <b className="text-ink">{dollars(candidate.estimated_savings)}</b>/mo estimated
      </span>
      <span>
        short for <b className="text-ink">{Math.round(candidate.minutes_short).toLocaleString('en-US')}</b> minutes
      </span>
      {candidate.oom_days > 0 && (
        <span className="tone-warn">too little memory on {Number(candidate.oom_days.toFixed(1))} days</span>
      )}
    </p>
  )
}

const words = ({ cpu_millicores: cpu, memory_bytes: memory }: Candidate) =>
  [cpu === null ? '' : cores(cpu), memory === null ? '' : bytes(memory)].filter((word) => word !== '').join(', ')

/** Minutes short by candidate, smallest request first: where it falls to nothing is where head-room begins. */
function Shortage({ candidates, index }: { candidates: readonly Candidate[]; index: number }) {
  const most = Math.max(1, ...candidates.map(({ minutes_short: minutes }) => minutes))
  return (
    <div className="flex h-10 items-end gap-px" aria-hidden="true">
      {candidates.map(({ minutes_short: minutes }, each) => (
        <span
          key={each}
          className={`grow ${each === index ? 'bg-accent' : 'bg-[var(--band-90)]'}`}
          style={{ height: `${Math.max(2, (100 * minutes) / most)}%` }}
        />
      ))}
    </div>
  )
}
