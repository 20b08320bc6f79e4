import { describe, expect, test } from 'vitest'
import { aContainer, aSize, aUsage, aWorkload, evaluateRule, someFacts } from '../builders.ts'
import type { WorkloadFacts } from '../facts/cluster-facts.ts'
import { containerOverprovisioned } from '../catalogue/container-overprovisioned.ts'
import { NO_PLACEMENT } from '../facts/object-facts.ts'
import { rolloutCaveats, rolloutRisk } from './rollout.ts'

const withVolumes = { placement: { ...NO_PLACEMENT, hasVolumes: true } }

test.each<{ name: string; workload: Partial<WorkloadFacts>; expected: string }>([
  { name: 'a Deployment', workload: {}, expected: 'the pods \\(rolling update\\).' },
  {
    name: 'a single pod with a volume',
    workload: { replicas: 1, ...withVolumes },
    expected: 'has a single pod and is unavailable during the restart.',
  },
  {
    name: 'a StatefulSet with one replica',
    workload: { kind: 'StatefulSet', replicas: 1 },
    expected: 'has a single pod and is unavailable during the restart.',
  },
  {
    name: 'a single pod that can run twice',
    workload: { replicas: 1 },
    expected: 'unless its strategy starts the new pod first.',
  },
  {
    name: 'a StatefulSet with three replicas',
    workload: { kind: 'StatefulSet', replicas: 3 },
    expected: 'lacks one member during the rollout.',
  },
  { name: 'a DaemonSet', workload: { kind: 'DaemonSet' }, expected: 'each node is briefly without the DaemonSet pod.' },
])('a change to the template of $name comes with the right rollout caveat', ({ workload, expected }) => {
  expect(rolloutCaveats(aWorkload(workload))).toEqual([expect.stringMatching(`^Applying this restarts.*${expected}$`)])
})

test('warns of a PodDisruptionBudget that allows no disruption, because rollouts do not respect it', () => {
  const caveats = rolloutCaveats(aWorkload({ kind: 'StatefulSet', replicas: 3, disruptionsAllowed: 0 }))
  expect(caveats[1]).toContain('currently allows no disruption, but rollouts do not respect it')
})

test.each(['Job', 'CronJob', 'Pod', 'ReplicaSet'])('the pods of a %s stay', (kind) => {
  expect(rolloutCaveats(aWorkload({ kind, replicas: 1 }))).toEqual([])
  expect(rolloutRisk(aWorkload({ kind, replicas: 1, ...withVolumes }))).toBe('low')
})

describe('a recommendation about requests', () => {
  const evaluate = (workload: Partial<WorkloadFacts>) => {
    const container = aContainer({ usage: aUsage(), decision: aSize(120, 600 * 1024) })
    const facts = someFacts({ workloads: [aWorkload({ containers: [container], ...workload })] })
    return evaluateRule(containerOverprovisioned, facts).findings[0]
  }

  test('has medium risk and gives the reason if the workload is unavailable during the rollout', () => {
    const finding = evaluate({ kind: 'StatefulSet', replicas: 1 })
    expect(finding?.risk).toBe('medium')
    expect(finding?.evidence.confidenceReasons).toContain(
      'The risk is not low: the workload has a single pod and is unavailable during the rollout.',
    )
    expect(finding?.evidence.caveats[0]).toContain('unavailable during the restart')
  })

  test('has low risk if other pods serve', () => {
    expect(evaluate({ replicas: 3, ...withVolumes })?.risk).toBe('low')
  })
})
