import type { NodeVerdict as ShownVerdict, PoolScaling } from '@plimsoll/contract'
import { roundToNumber } from '@plimsoll/engine'
import { describeBlocker, type JointOutcome } from '@plimsoll/engine/packing'
import type { FoldState } from '../fold/fold-state.ts'
import type { Packed } from './node-facts.ts'
import { livingNodes } from './packing-of.ts'

type Around = {
  unblocked: JointOutcome['unblocked']
  /** By node: why its pool needs the node although its pods fit elsewhere. */
  keptByPool: ReadonlyMap<string, string>
}

export type NodeVerdict = { uid: string; verdict: ShownVerdict }

/** Why each node is still there: one reason, and what the bill would lose with the node. */
export function nodeVerdicts(
  state: FoldState,
  { packing: { present }, pools }: Pick<Packed, 'packing' | 'pools'>,
  { unblocked, keptByPool }: Around,
): NodeVerdict[] {
  const scalingOf = new Map(pools.map(({ pool, scaling }) => [pool.name, scaling]))
  const verdicts = new Map<string, ShownVerdict>()
  for (const { node, blocker, podsFitElsewhere } of present.kept) {
    verdicts.set(node, {
      code: codeOf(blocker.code),
      message: describeBlocker(blocker),
      pods_fit_elsewhere: podsFitElsewhere,
      savings: 0,
    })
  }
  for (const { node, usdPerMonth } of present.freed) {
    const message = 'No blocker: the pods fit on other nodes, and the node autoscaler may remove the node.'
    verdicts.set(node, { code: 'can_go', message, pods_fit_elsewhere: true, savings: roundToNumber(usdPerMonth) })
  }
  for (const { node, pool, why, usdPerMonth } of present.byHand) {
    const kept = keptByPool.get(node)
    verdicts.set(
      node,
      kept === undefined ? byHand(why, roundToNumber(usdPerMonth), scalingOf.get(pool)) : mustStay(kept),
    )
  }
  for (const { node, usdPerMonth } of unblocked) {
    const kept = verdicts.get(node)
    if (kept) verdicts.set(node, { ...kept, savings: roundToNumber(usdPerMonth) })
  }
  return livingNodes(state).flatMap(({ uid, versions }) => {
    const { name = '', pool = '' } = versions.at(-1)?.facts ?? {}
    const verdict = verdicts.get(name)
    const pool_scaling = scalingOf.get(pool)
    return verdict ? [{ uid, verdict: { ...verdict, ...(pool_scaling ? { pool_scaling } : {}) } }] : []
  })
}

/** The same guard as in the rule about removable nodes: both must name the same nodes. */
const mustStay = (why: string): ShownVerdict => ({
  code: 'pool_minimum',
  message: `The pods of the node fit on other nodes, but ${why}`,
  pods_fit_elsewhere: true,
  savings: 0,
})

const codeOf = (code: string) => code.replaceAll('-', '_')

const UNKNOWN_SCALING =
  'The pods fit on other nodes. It is unknown whether an autoscaler resizes the pool. Answer in Settings → Policies.'

function byHand(
  why: 'nobody-scales-the-pool' | 'committed',
  usd: number,
  scaling: PoolScaling | undefined,
): ShownVerdict {
  return why === 'committed'
    ? {
        code: 'committed',
        message: 'The pods fit on other nodes, but a commitment covers the node, so removing it saves nothing.',
        pods_fit_elsewhere: true,
        savings: 0,
      }
    : {
        code: 'nobody_scales_the_pool',
        message:
          scaling?.by === 'unknown'
            ? UNKNOWN_SCALING
            : 'The pods fit on other nodes, but the pool has no autoscaler. Drain the node and remove it from its node group.',
        pods_fit_elsewhere: true,
        savings: usd,
      }
}
