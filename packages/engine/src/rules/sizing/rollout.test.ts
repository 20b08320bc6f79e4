import { describe, expect, test } from 'vitest'
import { aContainer, aSize, aUsage, aWorkload, sayOf, someFacts } from '../builders.ts'
import type { WorkloadFacts } from '../facts/cluster-facts.ts'
import { containerOverprovisioned } from '../catalogue/container-overprovisioned.ts'
import { NO_PLACEMENT } from '../facts/object-facts.ts'
import { rolloutCaveats, rolloutRisk } from './rollout.ts'

const withVolumes = { placement: { ...NO_PLACEMENT, hasVolumes: true } }

test.each<{ name: string; workload: Partial<WorkloadFacts>; says: string }>([
  { name: 'a Deployment', workload: {}, says: 'starts each of them anew.' },
  {
    name: 'a single pod with a disk',
    workload: { replicas: 1, ...withVolumes },
    says: 'the only one: nobody answers meanwhile.',
  },
  {
    name: 'a StatefulSet of one',
    workload: { kind: 'StatefulSet', replicas: 1 },
    says: 'the only one: nobody answers meanwhile.',
  },
  {
    name: 'a single pod that may be there twice',
    workload: { replicas: 1 },
    says: 'unless its strategy starts the new one first.',
  },
  { name: 'a StatefulSet of three', workload: { kind: 'StatefulSet', replicas: 3 }, says: 'one vote less meanwhile.' },
  { name: 'a DaemonSet', workload: { kind: 'DaemonSet' }, says: 'On each node nobody answers meanwhile.' },
])('who changes the template of $name is told what happens meanwhile', ({ workload, says }) => {
  expect(rolloutCaveats(aWorkload(workload))).toEqual([expect.stringMatching(`^Its pods are replaced.*${says}$`)])
})

test('a budget that allows none is named, because a roll-out does not ask it', () => {
  const caveats = rolloutCaveats(aWorkload({ kind: 'StatefulSet', replicas: 3, disruptionsAllowed: 0 }))
  expect(caveats[1]).toContain('allows no pod to be away now, and a roll-out does not ask it')
})

test.each(['Job', 'CronJob', 'Pod', 'ReplicaSet'])('the pods of a %s stay', (kind) => {
  expect(rolloutCaveats(aWorkload({ kind, replicas: 1 }))).toEqual([])
  expect(rolloutRisk(aWorkload({ kind, replicas: 1, ...withVolumes }))).toBe('low')
})

describe('advice about requests', () => {
  const say = (workload: Partial<WorkloadFacts>) => {
    const container = aContainer({ usage: aUsage(), decision: aSize(120, 600 * 1024) })
    const facts = someFacts({ workloads: [aWorkload({ containers: [container], ...workload })] })
    return sayOf(containerOverprovisioned, facts).findings[0]
  }

  test('has medium risk where nobody answers meanwhile, and says why', () => {
    const finding = say({ kind: 'StatefulSet', replicas: 1 })
    expect(finding?.risk).toBe('medium')
    expect(finding?.evidence.confidenceReasons).toContain(
      'Its risk is not low: it is a single pod, and nobody answers while that is replaced.',
    )
    expect(finding?.evidence.caveats[0]).toContain('nobody answers meanwhile')
  })

  test('has low risk where others answer', () => {
    expect(say({ kind: 'StatefulSet', replicas: 3 })?.risk).toBe('low')
  })
})
