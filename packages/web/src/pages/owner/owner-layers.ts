import type { Allocation } from '@plimsoll/contract'
import type { Layer } from '../../charts/stacked-area.tsx'
import { amountOf, wordOf } from '../../parts/money-classes.ts'
import { rateOf, type StepName } from '../allocation/layers.ts'

type Step = Allocation['steps'][number]
type Cost = Step['rest']['cost']

const besides = (cost: Cost) =>
  cost.storage + cost.load_balancer + cost.overhead + cost.shared_overhead + cost.shared_namespaces

const parts: { name: string; colour: string; isHatched?: boolean; of: (cost: Cost) => number }[] = [
  { name: wordOf('used').word, colour: 'var(--used)', of: (cost) => amountOf(cost, 'used') },
  { name: wordOf('unmeasured').word, colour: 'var(--rule-strong)', of: (cost) => cost.unmeasured },
  { name: wordOf('workload_idle').word, colour: 'var(--unused)', of: (cost) => cost.workload_idle },
  { name: wordOf('cluster_idle').word, colour: 'var(--unallocated)', isHatched: true, of: (cost) => cost.cluster_idle },
  { name: 'Storage, load balancers, fees', colour: 'var(--cat-8)', of: besides },
]

/** The cost of an owner over time, by class. */
export function ownerLayers(steps: readonly Step[], step: StepName): { layers: Layer[]; starts: string[] } {
  const layers = parts.map(({ of, ...layer }): Layer => ({
    ...layer,
    values: steps.map((each) => rateOf(sumOf(each, of), each, step)),
  }))
  return {
    layers: layers.filter(({ values }) => values.some((value) => value !== null && value > 0)),
    starts: steps.map(({ from }) => from),
  }
}

const sumOf = ({ rows, rest }: Step, of: (cost: Cost) => number) =>
  rows.reduce((sum, { cost }) => sum + of(cost), of(rest.cost))
