import type { Evidence } from '@plimsoll/contract'
import { dollars } from '../../format/money.ts'
import { bytes, cores } from '../../format/quantity.ts'
import { Section } from '../../parts/section.tsx'

type Props = { evidence: Evidence; picked: number | null; onPick: (index: number | null) => void }

type Candidate = Evidence['candidates'][number]

/** Other requests, looked up in the evidence and never computed here: what each would save, and where it would be short. */
export function HeadRoom({ evidence: { candidates, requests }, picked, onPick }: Props) {
  const { cpu_millicores: cpu, memory_bytes: memory } = requests.proposed
  const sweeps = [
    {
      name: 'CPU',
      of: sweep(candidates, ({ memory_bytes: each }) => each === memory),
      at: nearest('cpu_millicores', cpu),
    },
    {
      name: 'Memory',
      of: sweep(candidates, ({ cpu_millicores: each }) => each === cpu),
      at: nearest('memory_bytes', memory),
    },
  ]
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
        {sweeps.map(
          ({ name, of, at }) =>
            of.length > 1 && (
              <Sweep key={name} name={name} candidates={of} start={at(of)} picked={picked} onPick={onPick} />
            ),
        )}
      </div>
    </Section>
  )
}

type Placed = Candidate & { place: number }

/** One of the two changes, the other stays as proposed; smallest first, each with its place in the evidence. */
const sweep = (candidates: readonly Candidate[], isOf: (candidate: Candidate) => boolean): Placed[] =>
  candidates
    .map((candidate, place) => ({ ...candidate, place }))
    .filter(isOf)
    .sort((a, b) => (a.cpu_millicores ?? 0) - (b.cpu_millicores ?? 0) || (a.memory_bytes ?? 0) - (b.memory_bytes ?? 0))

/** The candidate that comes closest to what is proposed. */
const nearest = (name: 'cpu_millicores' | 'memory_bytes', proposed: number | null) => (all: readonly Placed[]) => {
  const distance = (each: Placed | undefined) => Math.abs((each?.[name] ?? 0) - (proposed ?? 0))
  return all.reduce((best, each, index) => (distance(each) < distance(all[best]) ? index : best), 0)
}

type SweepProps = Pick<Props, 'picked' | 'onPick'> & { name: string; candidates: readonly Placed[]; start: number }

function Sweep({ name, candidates, start, picked, onPick }: SweepProps) {
  const own = candidates.findIndex(({ place }) => place === picked)
  const index = own === -1 ? start : own
  const candidate = candidates[index]
  if (!candidate) return null
  const of = (each: Candidate | undefined) => (each ? words(each).split(', ')[name === 'CPU' ? 0 : 1] : '')
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
        <span>{of(candidates[0])}</span>
        <span>{of(candidates.at(-1))}</span>
      </p>
      <p className="mt-1 flex flex-wrap gap-x-6 text-ink-2" aria-live="polite">
        <span>
          {name}: request <b className="text-accent">{words(candidate)}</b>
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
    </div>
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
