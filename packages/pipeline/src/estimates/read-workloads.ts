import type { ContainerShape, EstimateWorkload, WorkloadState } from '@plimsoll/contract'
import {
  kibibytes,
  millicores,
  parseCronSchedule,
  parseQuantity,
  parseQuantityNano,
  wholes,
  type CronSchedule,
} from '@plimsoll/engine'

/** The requests of a container, where a missing request is the limit. Millicores, KiB, and counts by name. */
export type AskedContainer = {
  name: string
  kind: ContainerShape['kind']
  cpu: number | undefined
  memory: number | undefined
  ephemeral: number
  extended: Readonly<Record<string, number>>
}

export type AskedState = {
  replicas: number | undefined
  schedule: CronSchedule | undefined
  isSuspended: boolean
  podCpu: number | undefined
  podMemory: number | undefined
  containers: readonly AskedContainer[]
}

/** `before` is undefined where the state in the cluster applies. Null: does not exist. */
export type AskedWorkload = {
  kind: string
  namespace: string
  name: string
  before: AskedState | null | undefined
  after: AskedState | null
}

export type AskedError = { pointer: string; code: string; detail: string }

/** The workloads of a request, or each wrong field. */
export function readWorkloads(
  workloads: readonly EstimateWorkload[],
): { kind: 'ok'; workloads: AskedWorkload[] } | { kind: 'invalid'; errors: AskedError[] } {
  const errors: AskedError[] = []
  const seen = new Set<string>()
  const read = workloads.map((workload, index): AskedWorkload => {
    const { kind, namespace, name, before, after } = workload
    const at = `/workloads/${index}`
    const key = `${namespace}/${kind}/${name}`
    if (seen.has(key)) errors.push({ pointer: at, code: 'duplicate', detail: `${key} is in the list twice` })
    seen.add(key)
    const stateOf = (state: WorkloadState | null, part: string) =>
      state && readState(state, { kind, at: `${at}/${part}`, errors })
    return {
      ...{ kind, namespace, name },
      before: before === undefined ? undefined : stateOf(before, 'before'),
      after: stateOf(after, 'after'),
    }
  })
  return errors.length > 0 ? { kind: 'invalid', errors } : { kind: 'ok', workloads: read }
}

type Place = { kind: string; at: string; errors: AskedError[] }

function readState(state: WorkloadState, { kind, at, errors }: Place): AskedState {
  const pod = readResources({ ...state.pod_requests }, `${at}/pod_requests`, errors)
  return {
    replicas: state.replicas,
    schedule: state.schedule === undefined ? undefined : readSchedule(state.schedule, { kind, at, errors }),
    isSuspended: state.suspended === true,
    podCpu: pod.cpu,
    podMemory: pod.memory,
    containers: state.containers.map(({ name, kind: role, requests = {}, limits = {} }, index) => ({
      name,
      kind: role,
      ...readResources({ ...limits, ...requests }, `${at}/containers/${index}`, errors),
    })),
  }
}

function readSchedule(text: string, { kind, at, errors }: Place): CronSchedule | undefined {
  const pointer = `${at}/schedule`
  const parsed = parseCronSchedule(text)
  if (kind !== 'CronJob') errors.push({ pointer, code: 'combination', detail: 'only a CronJob has a schedule' })
  else if (parsed.kind === 'ok') return parsed.value
  else errors.push({ pointer, code: 'invalid', detail: 'is not a schedule such as "0 3 * * *"' })
  return undefined
}

function readResources(given: Readonly<Record<string, string>>, at: string, errors: AskedError[]) {
  const amount = (name: string, unit: typeof millicores): number | undefined => {
    const text = given[name]
    if (text === undefined) return undefined
    const value = parseQuantity(text, unit)
    if (value === undefined) errors.push({ pointer: `${at}/${name}`, ...quantityError(text) })
    return value
  }
  const { cpu: _cpu, memory: _memory, 'ephemeral-storage': _ephemeral, ...others } = given
  return {
    cpu: amount('cpu', millicores),
    memory: amount('memory', kibibytes),
    ephemeral: amount('ephemeral-storage', kibibytes) ?? 0,
    extended: Object.fromEntries(Object.keys(others).map((name) => [name, amount(name, wholes) ?? 0])),
  }
}

function quantityError(text: string): { code: string; detail: string } {
  const parsed = parseQuantityNano(text)
  const shown = JSON.stringify(text)
  if (parsed.kind === 'ok' || parsed.reason === 'too-large') {
    return { code: 'too_large', detail: `${shown} is too large for a request` }
  }
  return parsed.reason === 'negative'
    ? { code: 'negative', detail: `${shown} is negative` }
    : { code: 'invalid', detail: `${shown} is not a quantity such as 500m or 2Gi` }
}
