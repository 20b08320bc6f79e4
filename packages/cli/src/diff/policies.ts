import type { Client } from '@plimsoll/client'
import type { Estimate } from '@plimsoll/contract'
import { dayMs, millicores, kibibytes, parseQuantity } from '@plimsoll/engine'
import { usd } from '../output/cells.ts'
import type { ManifestWorkload } from './read-workloads.ts'

export type Policies = {
  readonly maxIncrease?: number
  readonly maxIncreasePercent?: number
  readonly requireRequests?: true
  readonly ratchet?: true
}

export type PolicyInput = {
  readonly estimate: Estimate
  /** The workloads of the change, as in the manifests after it. */
  readonly workloads: readonly ManifestWorkload[]
}

/** The broken policies, each as a sentence. */
export function judge(policies: Policies, { estimate, workloads }: PolicyInput): string[] {
  return [...judgeIncrease(policies, estimate), ...(policies.requireRequests ? workloads.flatMap(missingRequests) : [])]
}

function judgeIncrease({ maxIncrease, maxIncreasePercent }: Policies, { requests }: Estimate): string[] {
  const { monthly_change: change, monthly_cost_before: before } = requests
  const percent = change <= 0 ? 0 : before === 0 ? Infinity : (change / before) * 100
  const costs = `The requests cost ${usd(change).text} more per month`
  return [
    ...(maxIncrease !== undefined && change > maxIncrease
      ? [`${costs}; --max-increase is ${usd(maxIncrease).text}.`]
      : []),
    ...(maxIncreasePercent !== undefined && percent > maxIncreasePercent
      ? [
          `${costs}, ${Number.isFinite(percent) ? `${percent.toFixed(1)} %` : 'from $0'}; --max-increase-percent is ${maxIncreasePercent}.`,
        ]
      : []),
  ]
}

/** Requests of the whole pod apply to all its containers. */
function missingRequests({ namespace, kind, name, state }: ManifestWorkload): string[] {
  return state.containers.flatMap((container) => {
    const requests = { ...state.pod_requests, ...container.requests }
    const missing = ['cpu', 'memory'].filter((resource) => !(resource in requests))
    if (missing.length === 0) return []
    return [`${namespace}/${kind}/${name}: container ${container.name} has no ${missing.join(' and no ')} request.`]
  })
}

const ratchetDays = 90

/** Requests above a size that was applied and verified in the last 90 days. */
export async function judgeRatchet(
  client: Client,
  { clusterId, workloads, now }: { clusterId: string; workloads: readonly ManifestWorkload[]; now: Date },
): Promise<string[]> {
  const byKey = new Map(workloads.map((each) => [`${each.namespace}/${each.kind}/${each.name}`, each]))
  const found: string[] = []
  for (const verified of await listVerified(client, clusterId, now)) {
    const { namespace, workload } = verified
    const { kind, name, container } = workload
    const state = byKey.get(`${namespace}/${kind}/${name}`)?.state
    const asked = state?.containers.find((each) => each.name === container)?.requests ?? {}
    for (const [resource, unit, most] of [
      ['cpu', millicores, verified.spec.cpu_request],
      ['memory', kibibytes, verified.spec.memory_request],
    ] as const) {
      const [request, limit] = [parseQuantity(asked[resource], unit), parseQuantity(most, unit)]
      if (request === undefined || limit === undefined || request <= limit) continue
      found.push(
        `${namespace}/${kind}/${name}: container ${container} requests ${asked[resource] ?? ''} ${resource}; ` +
          `${most ?? ''} was verified (${verified.id}).`,
      )
    }
  }
  return found
}

type Verified = {
  readonly id: string
  readonly namespace: string
  readonly workload: { readonly kind: string; readonly name: string; readonly container: string }
  readonly spec: { readonly cpu_request?: string; readonly memory_request?: string }
}

async function listVerified(client: Client, clusterId: string, now: Date): Promise<Verified[]> {
  const since = now.getTime() - ratchetDays * dayMs
  const found: Verified[] = []
  let cursor: string | null | undefined
  do {
    const query = { cluster_id: clusterId, verification: 'verified', limit: 200, ...(cursor ? { cursor } : {}) }
    const page = await client.listRecommendations({ query })
    for (const {
      id,
      namespace,
      workload,
      recommended_spec: spec,
      verification_detail: detail,
    } of page.recommendations) {
      const observedAt = detail?.observed_at
      if (workload && observedAt && new Date(observedAt).getTime() >= since)
        found.push({ id, namespace, workload, spec })
    }
    cursor = page.has_more ? page.next_cursor : undefined
  } while (cursor)
  return found
}
