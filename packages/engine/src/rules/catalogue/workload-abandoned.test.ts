import { describe, expect, test } from 'vitest'
import { aContainer, aUsage, aWorkload, evaluateRule, someCpu, someFacts, someMemory } from '../builders.ts'
import type { BalancerFacts, ContainerFacts, UsageFacts, WorkloadFacts } from '../facts/cluster-facts.ts'
import { workloadAbandoned } from './workload-abandoned.ts'

type Case = { container?: Partial<ContainerFacts>; usage?: Partial<UsageFacts>; workload?: Partial<WorkloadFacts> }

const idle = { cpu: someCpu([1]), memory: someMemory(100 * 1024) }

function evaluate({ container = {}, usage = {}, workload = {} }: Case = {}) {
  const own = aContainer({ usage: aUsage({ ...idle, ...usage }), ...container })
  return evaluateRule(workloadAbandoned, someFacts({ workloads: [aWorkload({ containers: [own], ...workload })] }))
}

test('a workload that used one millicore of a core for two weeks is reported with its whole cost', () => {
  const { findings } = evaluate()
  expect(findings).toMatchObject([
    {
      target: { kind: 'Deployment', name: 'web', container: '' },
      podName: 'web-0',
      recommendedSpec: null,
      change: { action: 'investigate' },
      confidence: 'low',
    },
  ])
  expect(findings[0]?.estimatedUsdPerMonth).toBeCloseTo(2 * (1000 * 0.02 + 1024 * 1024 * 0.000004), 6)
})

describe('nothing is found', () => {
  test.each<Case & { name: string }>([
    { name: 'for one busy minute in two weeks', usage: { cpu: someCpu([1, 60]) } },
    { name: 'for 4 of 50 millicores', container: { cpuRequestMillicores: 50 }, usage: { cpu: someCpu([4]) } },
    { name: 'with ten days of history', usage: { historyDays: 10 } },
    { name: 'with gaps', usage: { coverage: 0.85 } },
    { name: 'after a restart', usage: { restarts: 1 } },
    { name: 'without usage', container: { usage: null } },
    { name: 'for StatefulSets', workload: { kind: 'StatefulSet' } },
    { name: 'for DaemonSets', workload: { kind: 'DaemonSet' } },
    { name: 'for jobs', workload: { kind: 'CronJob' } },
    { name: 'for a standby', workload: { annotations: { 'plimsoll.dev/standby': 'true' } } },
    {
      name: 'for autoscaled workloads',
      workload: {
        autoscaler: { kind: 'keda', name: 'scaler', replicasMin: 0, replicasMax: 5, cpuTargetPercent: null },
      },
    },
  ])('$name', (each) => {
    expect(evaluate(each)).toMatchObject({ findings: [], withheld: [] })
  })
})

test('without a price it is withheld', () => {
  expect(evaluate({ workload: { price: null } }).reasons).toEqual(['no_price'])
})

describe('a load balancer in front of it', () => {
  const withBalancer = (over: Partial<BalancerFacts>) => {
    const workloads = [aWorkload({ containers: [aContainer({ usage: aUsage(idle) })] })]
    const balancer = { namespace: 'shop', name: 'web', type: 'nlb', unreadySince: null, usdPerMonth: 18.4, ...over }
    return evaluateRule(workloadAbandoned, someFacts({ workloads, balancers: [balancer] })).findings[0]
  }

  test('is named with its cost, which is not counted here', () => {
    const finding = withBalancer({ workloads: ['shop/Deployment/web'] })
    expect(finding?.evidence.caveats.at(-1)).toBe(
      'Load balancer shop/web ($18.40/month, not included) sends traffic to this workload. It has no other endpoints, so delete its Service too.',
    )
    expect(finding?.evidence.facts.balancers).toBe('shop/web')
    expect(finding?.checks.at(-1)).toMatchObject({
      found: 'not measured; 1 load balancer points to it',
      passed: null,
    })
    expect(finding?.estimatedUsdPerMonth).toBeCloseTo(2 * (1000 * 0.02 + 1024 * 1024 * 0.000004), 6)
  })

  test('and of other workloads stays; one of another workload is not named', () => {
    const shared = withBalancer({ workloads: ['shop/Deployment/api', 'shop/Deployment/web'] })
    expect(shared?.evidence.caveats.at(-1)).toMatch(/sends traffic to this workload\.$/)
    expect(withBalancer({ workloads: ['shop/Deployment/api'] })?.evidence.facts.balancers).toBeUndefined()
  })
})
