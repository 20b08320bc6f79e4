import type { AgentFacts, Condition } from '@plimsoll/contract'

export type ConditionFacts = {
  agent: AgentFacts | undefined
  /** Batches of the last day that could not be read. */
  quarantined: number
  /** Nodes now, and how many of them have no price or an estimated one. */
  nodes: { total: number; unpriced: number; estimated: number }
}

type Finding = Omit<Condition, 'since'>

/** What its owner should know about a cluster. A condition keeps the time since which it holds. */
export function clusterConditions(facts: ConditionFacts, before: readonly Condition[], now: Date): Condition[] {
  return [usage(facts), data(facts), prices(facts)].map((finding) => {
    const same = before.find(
      ({ type, ok, reason }) => type === finding.type && ok === finding.ok && reason === finding.reason,
    )
    return { ...finding, since: same?.since ?? now.toISOString() }
  })
}

function usage({ agent }: ConditionFacts): Finding {
  const source = agent?.usage_source ?? 'none'
  if (source !== 'none') return { type: 'usage', ok: true, reason: source, message: `Use is measured by ${source}.` }
  const message =
    'No source of usage is connected: costs are known, what is idle is not. Install metrics-server or allow the kubelet.'
  return { type: 'usage', ok: false, reason: 'no_source', message }
}

function data({ quarantined }: ConditionFacts): Finding {
  if (quarantined === 0)
    return { type: 'data', ok: true, reason: 'readable', message: 'All that the agent sent could be read.' }
  const message = `${quarantined} batches of the last 24 hours could not be read and were set aside; see data-quality.`
  return { type: 'data', ok: false, reason: 'quarantined', message }
}

function prices({ nodes: { total, unpriced, estimated } }: ConditionFacts): Finding {
  if (unpriced > 0) {
    const message = `${unpriced} of ${total} nodes have no price; set one for their type.`
    return { type: 'prices', ok: false, reason: 'unpriced', message }
  }
  const message =
    estimated > 0 ? `${estimated} of ${total} nodes have an estimated price.` : 'All nodes have a list price.'
  return { type: 'prices', ok: true, reason: estimated > 0 ? 'estimated' : 'listed', message }
}
