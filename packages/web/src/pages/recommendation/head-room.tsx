import type { Evidence } from '@plimsoll/contract'
import { dollars } from '../../format/money.ts'
import { bytes, cores } from '../../format/quantity.ts'
import { Section } from '../../parts/section.tsx'

type Props = { evidence: Evidence; picked: number | null; onPick: (index: number | null) => void }

type Candidate = Evidence['candidates'][number]

/** Other requests, looked up in the evidence and never computed here: what each would save, and where it would be short. */
export function HeadRoom({ evidence: { candidates, requests }, picked, onPick }: Props) {
  const proposal = candidates.findIndex(
    ({ cpu_millicores: cpu, memory_bytes: memory }) =>
      cpu === requests.proposed.cpu_millicores && memory === requests.proposed.memory_bytes,
  )
  const index = picked ?? Math.max(0, proposal)
  const candidate = candidates[index]
  if (!candidate) return null
  return (
    <Section
      title="Head-room"
      meta={`${candidates.length} candidates from the evidence, looked up`}
      end={
        picked !== null && (
          <button type="button" className="font-semibold text-ink hover:underline" onClick={() => onPick(null)}>
            Reset to proposal
          </button>
        )
      }
    >
      <Shortage candidates={candidates} index={index} />
      <input
        type="range"
        className="choice block h-6 w-full"
        aria-label="Other requests"
        aria-valuetext={words(candidate)}
        min={0}
        max={candidates.length - 1}
        value={index}
        onChange={(event) => onPick(Number(event.target.value))}
      />
      <p className="flex flex-wrap gap-x-6 text-ink-2" aria-live="polite">
        <span>
          request <b className="text-accent">{words(candidate)}</b>
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
    </Section>
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
