import { expect, test } from 'vitest'
import { aContainer, aSize, aUsage, aWorkload, DAY, NOW, evaluateRule, someFacts } from '../builders.ts'
import type { ContainerFacts, RegressedChange, WorkloadFacts } from '../facts/cluster-facts.ts'
import { changeRegressed } from './change-regressed.ts'
import { containerOverprovisioned } from './container-overprovisioned.ts'
import { containerUnderprovisioned } from './container-underprovisioned.ts'

const mib = 1024

const regressed: RegressedChange = {
  target: { kind: 'Deployment', namespace: 'shop', name: 'web', container: 'app' },
  before: { cpuMillicores: 1000, memoryKib: 1024 * mib },
  appliedAt: NOW - 2 * DAY,
  what: 'Since the change, OOM kills rose.',
}

/** Lowered to 400m and 700 MiB. */
function facts(container: Partial<ContainerFacts> = {}, workload: Partial<WorkloadFacts> = {}) {
  const lowered = { cpuRequestMillicores: 400, memoryRequestKib: 700 * mib, usage: aUsage() }
  const containers = [aContainer({ ...lowered, ...container })]
  return someFacts({ workloads: [aWorkload({ containers, ...workload })], regressed: [regressed] })
}

test('the old requests are proposed, first in a plan, with the reason', () => {
  const [finding] = evaluateRule(changeRegressed, facts()).findings
  expect(finding).toMatchObject({
    currentSpec: { cpuMillicores: 400, memoryKib: 700 * mib },
    recommendedSpec: regressed.before,
    change: {
      action: 'set_requests',
      fields: [
        { path: 'resources.requests.cpu', from: '400m', to: '1' },
        { path: 'resources.requests.memory', from: '700Mi', to: '1Gi' },
      ],
    },
    severity: 'critical',
  })
  expect(finding?.estimatedUsdPerMonth).toBeLessThan(0)
  expect(finding?.evidence.confidenceReasons[0]).toContain('OOM kills rose')
  expect(changeRegressed.inPlan).toMatchObject({ role: 'protect' })
})

test('a request above the old one stays, and only the other is restored', () => {
  const [finding] = evaluateRule(changeRegressed, facts({ cpuRequestMillicores: 1500 })).findings
  expect(finding?.recommendedSpec).toEqual({ cpuMillicores: 1500, memoryKib: 1024 * mib })
})

test('restored requests end the finding', () => {
  const restored = facts({ cpuRequestMillicores: 1000, memoryRequestKib: 1024 * mib })
  expect(evaluateRule(changeRegressed, restored).findings).toEqual([])
})

test('the limits of a Guaranteed pod follow', () => {
  const limits = { cpuLimitMillicores: 400, memoryLimitKib: 700 * mib }
  const [finding] = evaluateRule(changeRegressed, facts(limits)).findings
  expect(finding?.change.fields.map(({ path }) => path)).toContain('resources.limits.memory')
})

test('other rules do not size the container until then', () => {
  const large = facts({ decision: aSize(50, 100 * mib) })
  const killed = facts({ oomKills: 3, decision: aSize(50, 900 * mib) })
  expect(evaluateRule(containerOverprovisioned, large).findings).toEqual([])
  expect(evaluateRule(containerUnderprovisioned, killed).findings).toEqual([])
})
