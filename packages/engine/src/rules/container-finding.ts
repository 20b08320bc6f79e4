import { count } from '../count.ts'
import { BYTES_PER_KIB, formatBytes, formatMillicores, parseBytes, parseMillicores } from '../units.ts'
import type { ContainerFacts, WorkloadFacts } from './facts/cluster-facts.ts'
import type { Change, ContainerSpec, Finding, Target, Withheld } from './finding.ts'
import type { ChangeAction } from '../vocabulary/recommendations.ts'

export const targetOf = ({ kind, namespace, name }: WorkloadFacts, container = ''): Target => ({
  kind,
  namespace,
  name,
  container,
})

export const specOf = ({ cpuRequestMillicores, memoryRequestKib }: ContainerFacts): ContainerSpec => ({
  cpuMillicores: cpuRequestMillicores,
  memoryKib: memoryRequestKib,
})

/** Fields of all findings about a container. */
export function aboutContainer(workload: WorkloadFacts, container: ContainerFacts) {
  const { kind, name, podName } = workload
  return {
    kind: 'finding' as const,
    target: targetOf(workload, container.name),
    podName,
    workload: { kind, name, container: container.name },
    currentSpec: specOf(container),
    bankableUsdPerMonth: null,
    isUrgent: false,
    basis: basisOf(workload, container),
  } satisfies Partial<Finding>
}

/** Requests, limits and replicas: after scaling or resizing, an earlier rejection no longer applies. */
export function basisOf({ replicas }: WorkloadFacts, container: ContainerFacts): string {
  const { cpuRequestMillicores, memoryRequestKib, cpuLimitMillicores, memoryLimitKib } = container
  return [cpuRequestMillicores, memoryRequestKib, cpuLimitMillicores, memoryLimitKib, scaleOf(replicas)].join(' ')
}

/** One replica more or less is normal; twice as many is a change. */
const scaleOf = (replicas: number) => (replicas <= 0 ? 0 : Math.round(Math.log2(replicas)))

export function changeRequests(
  action: ChangeAction,
  object: Target,
  { from, to, field = 'requests' }: { from: ContainerSpec; to: ContainerSpec; field?: 'requests' | 'limits' },
): Change {
  const cpu = (value: number | null) => (value === null ? null : formatMillicores(value))
  const memory = (value: number | null) => (value === null ? null : formatBytes(value * BYTES_PER_KIB))
  const fields = [
    { path: `resources.${field}.cpu`, from: cpu(from.cpuMillicores), to: cpu(to.cpuMillicores) },
    { path: `resources.${field}.memory`, from: memory(from.memoryKib), to: memory(to.memoryKib) },
  ].filter((each) => each.from !== each.to)
  const words = fields.map(({ path, from, to }) =>
    from === null ? `${path} to ${to ?? 'nothing'} (not set now)` : `${path} from ${from} to ${to ?? 'nothing'}`,
  )
  return { action, object, summary: `Set ${words.join(' and ')} for container ${object.container}.`, fields }
}

/** Imperative, with the container and its new values: Lower CPU request of cart from 750m to 415m. */
export function sizeTitle(
  { fields }: Change,
  workload: Pick<WorkloadFacts, 'name'>,
  container: Pick<ContainerFacts, 'name'>,
) {
  const requests = fields.filter(({ path }) => path.startsWith('resources.requests.'))
  const shown = requests.length > 0 ? requests : fields
  const name = containerLabel(workload, container)
  const [first, ...others] = shown.map((field) => ({ ...field, noun: nounOf(field.path), verb: verbOf(field) }))
  if (!first) return `Change requests of ${name}`
  const verb = others.every((each) => each.verb === first.verb) ? first.verb : 'Change'
  const values = ({ path, from, to }: Change['fields'][number]) => {
    const next = to === null ? 'none' : withUnit(path, to)
    return from === null ? `to ${next}` : `from ${withUnit(path, from)} to ${next}`
  }
  return [
    `${verb} ${first.noun} of ${name} ${values(first)}`,
    ...others.map((each) => `${each.noun} ${values(each)}`),
  ].join(' and ')
}

/** The workload, and the container if its name differs. */
export const containerLabel = (workload: Pick<WorkloadFacts, 'name'>, container: Pick<ContainerFacts, 'name'>) =>
  workload.name === container.name ? workload.name : `${workload.name}/${container.name}`

/** A bare number of cores reads like a count: 2 becomes 2 cores, 415m stays. */
const withUnit = (path: string, text: string) =>
  path.endsWith('.cpu') && /^\d+$/.test(text) ? count(Number(text), 'core') : text

const nounOf = (path: string) =>
  `${path.endsWith('.cpu') ? 'CPU' : 'memory'} ${path.startsWith('resources.limits.') ? 'limit' : 'request'}`

function verbOf({ path, from, to }: Change['fields'][number]): string {
  if (from === null || to === null) return 'Set'
  const sizeOf = (text: string) => {
    const size = path.endsWith('.cpu') ? parseMillicores(text) : parseBytes(text)
    return size.kind === 'ok' ? size.value : 0
  }
  return sizeOf(to) < sizeOf(from) ? 'Lower' : 'Raise'
}

export const noNodePrice = (target: Target): Withheld => ({
  kind: 'withheld',
  target,
  reason: 'no_price',
  detail: 'The nodes of the workload have no price.',
  unlock: 'Set a price override for this node class.',
})
