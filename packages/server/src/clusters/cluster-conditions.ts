import type { AgentCondition, AgentFacts, Condition } from '@plimsoll/contract'
import type { CloudResourceKind } from '@plimsoll/pipeline/prices'

export type Identity = { ownUid: string | null; foreignUid: string | null; foreignUidAt: Date | null }

export type ConditionFacts = {
  agent: AgentFacts | undefined
  /** Unreadable batches of the last day. */
  quarantined: number
  /** Current nodes, and how many of them have no price or an estimated one. */
  nodes: { total: number; unpriced: number; estimated: number }
  /** Current kinds of cloud resources of which some have no price. */
  unpricedCloudResources: readonly CloudResourceKind[]
  identity: Identity
  /** Number of merged workloads in the worst hour of the last day. */
  otherWorkloads: number
}

type Finding = Omit<Condition, 'since'>

/** The conditions of a cluster for its users. A condition keeps its start time. */
export function clusterConditions(facts: ConditionFacts, before: readonly Condition[], now: Date): Condition[] {
  const found = [
    usage(facts),
    data(facts),
    prices(facts),
    ...agent(facts),
    ...identity(facts.identity, now),
    ...workloads(facts),
  ]
  return found.map((finding) => sinceWhen(finding, before, now))
}

/** Keeps the other conditions of the cluster, because no fold may have run yet. */
export function withIdentity(of: Identity, before: readonly Condition[], now: Date): Condition[] {
  const others = before.filter(({ type }) => type !== 'identity')
  return [...others, ...identity(of, now).map((finding) => sinceWhen(finding, before, now))]
}

type ConditionState = Pick<Condition, 'type' | 'ok' | 'reason'>

/** A condition that is not listed is good. */
export function changedConditions(before: readonly Condition[], after: readonly Condition[]): ConditionState[] {
  const ended = before
    .filter(({ type, ok }) => !ok && !after.some((each) => each.type === type))
    .map(({ type }) => ({ type, ok: true, reason: 'ended' }))
  const changed = after.filter(({ type, ok, reason }) => {
    const earlier = before.find((each) => each.type === type)
    return earlier ? earlier.ok !== ok || earlier.reason !== reason : !ok
  })
  return [...changed.map(({ type, ok, reason }) => ({ type, ok, reason })), ...ended]
}

function sinceWhen(finding: Finding, before: readonly Condition[], now: Date): Condition {
  const same = before.find(
    ({ type, ok, reason }) => type === finding.type && ok === finding.ok && reason === finding.reason,
  )
  return { ...finding, since: same?.since ?? now.toISOString() }
}

/** An agent reports every minute: an error that has not recurred for an hour is over. */
const mistakeMs = 3_600_000

function identity({ ownUid, foreignUid, foreignUidAt }: Identity, now: Date): Finding[] {
  if (foreignUid === null || foreignUidAt === null || now.getTime() - foreignUidAt.getTime() > mistakeMs) return []
  const refused = 'The server rejected the data of this agent. Stored data is unchanged.'
  if (ownUid === null) {
    const message = `The Kubernetes cluster ${foreignUid} is already connected as another cluster. ${refused}`
    return [{ type: 'identity', ok: false, reason: 'already_connected', message }]
  }
  const message = `An agent with the token of this cluster (${ownUid}) runs in the Kubernetes cluster ${foreignUid}. ${refused}`
  return [{ type: 'identity', ok: false, reason: 'identity_mismatch', message }]
}

function workloads({ otherWorkloads }: ConditionFacts): Finding[] {
  if (otherWorkloads === 0) return []
  const message = `Up to ${otherWorkloads} workloads per hour are combined into __other__: their namespace has too many workloads or label sets.`
  return [{ type: 'workloads', ok: false, reason: 'too_many', message }]
}

/** What the agent reports as missing or lost. A resource that the cluster lacks is not an error. */
function agent({ agent: facts }: ConditionFacts): Finding[] {
  const wrong = (facts?.conditions ?? []).filter(
    ({ kind, status }) => (status === 'forbidden' || status === 'failing') && kind !== 'usage',
  )
  if (wrong.length === 0) return []
  const shown = wrong.slice(0, shownMax).map(({ kind, message }) => `${kind}: ${message}`)
  const more = wrong.length > shownMax ? ` And ${wrong.length - shownMax} more.` : ''
  return [{ type: 'agent', ok: false, reason: agentReason(wrong), message: `${shown.join(' ')}${more}` }]
}

const shownMax = 5

/** A missing login (401) and a missing permission (403) are fixed by different people. */
function agentReason(wrong: readonly AgentCondition[]): string {
  if (wrong.some(({ kind }) => kind === 'log')) return 'lost'
  const ofServer = wrong.find(({ kind }) => kind === 'api_server')
  if (ofServer) return ofServer.reason.toLowerCase()
  return wrong.some(({ status }) => status === 'forbidden') ? 'forbidden' : 'failing'
}

function usage({ agent }: ConditionFacts): Finding {
  const source = agent?.usage_source ?? 'none'
  if (source !== 'none') return { type: 'usage', ok: true, reason: source, message: `Usage comes from ${source}.` }
  const message =
    'There is no usage source, so idle cost is unknown. Costs are complete. Install metrics-server or enable kubelet access.'
  return { type: 'usage', ok: false, reason: 'no_source', message }
}

function data({ quarantined }: ConditionFacts): Finding {
  if (quarantined === 0)
    return { type: 'data', ok: true, reason: 'readable', message: 'All batches from the agent are readable.' }
  const message = `${quarantined} batches of the last 24 hours are unreadable and quarantined. See GET /api/v1/clusters/{id}/data-quality.`
  return { type: 'data', ok: false, reason: 'quarantined', message }
}

const cloudResourceWords: Record<CloudResourceKind, string> = {
  volume: 'some volumes',
  balancer: 'some load balancers',
  control_plane: 'the control plane',
}

/**
 * Nodes are most of the cost, and users can set their price. For other resources it is enough that they are in no sum.
 */
function prices({ nodes: { total, unpriced, estimated }, unpricedCloudResources }: ConditionFacts): Finding {
  if (unpriced > 0) {
    const message = `${unpriced} of ${total} nodes have no price. Set a price override for their instance type.`
    return { type: 'prices', ok: false, reason: 'unpriced', message }
  }
  const nodes = estimated > 0 ? `${estimated} of ${total} nodes have an estimated price` : 'All nodes have a list price'
  const without = unpricedCloudResources.map((kind) => cloudResourceWords[kind]).join(', ')
  const message = without === '' ? `${nodes}.` : `${nodes}. Not priced: ${without}.`
  const reason = estimated > 0 ? 'estimated' : without === '' ? 'listed' : 'nodes_listed'
  return { type: 'prices', ok: true, reason, message }
}
