import { describe, expect, test } from 'vitest'
import {
  aContainer,
  aCronJob,
  aNamespace,
  aNode,
  aPool,
  aSize,
  aUsage,
  aVolume,
  aWorkload,
  DAY,
  HOUR,
  NOW,
  evaluateRule,
  someCpu,
  someFacts,
  someMemory,
  fourNodes,
} from '../rules/builders.ts'
import type { ClusterFacts, WorkloadFacts } from '../rules/facts/cluster-facts.ts'
import { NO_PLACEMENT } from '../rules/facts/object-facts.ts'
import { RULES } from '../rules/catalogue.ts'
import type { RuleFinding } from '../rules/evaluate.ts'
import { SEEN_USD_MIN, savingLinesOf } from '../rules/savings/saving-lines.ts'
import { aContainer as liveContainer, aWorkload as liveWorkload, renderSome } from './builders.ts'
import type { WantedChange } from './plan-patches.ts'
import type { SkipCode } from './skips.ts'
import { MANIFEST_FORMATS } from '../vocabulary/manifest-formats.ts'

const mib = 1024
const gib = 1024 * mib
const workloads = (...all: Partial<WorkloadFacts>[]) => ({ workloads: all.map(aWorkload) })
const used = (millicores: number, kib: number) =>
  aUsage({ cpu: someCpu([millicores]), memory: someMemory(kib), memoryMaxKib: kib })
const proxy = aContainer({
  name: 'istio-proxy',
  cpuRequestMillicores: 200,
  memoryRequestKib: 256 * mib,
  usage: used(10, 60 * mib),
  decision: aSize(20, 180 * mib),
})

type Example = { facts: Partial<ClusterFacts>; becomes: 'file' | SkipCode }

/**
 * A cluster for each rule that makes it find something, and the expected result: a file, or a text with the next step.
 */
const examples: Record<string, Example> = {
  change_regressed: {
    facts: {
      ...workloads({
        containers: [aContainer({ cpuRequestMillicores: 400, usage: used(100, 500 * mib) })],
      }),
      regressed: [
        {
          target: { kind: 'Deployment', namespace: 'shop', name: 'web', container: 'app' },
          before: { cpuMillicores: 1000, memoryKib: null },
          appliedAt: NOW - 2 * DAY,
          what: 'Since the change, restarts rose.',
        },
      ],
    },
    becomes: 'file',
  },
  consolidation_blocked: {
    facts: {
      nodes: [
        aNode({
          blocker: {
            code: 'disruption-budget',
            why: 'The budget never allows it.',
            basis: 'never',
            objects: { pod: { namespace: 'shop', name: 'web-1' }, disruptionBudgets: ['never'] },
          },
        }),
      ],
    },
    becomes: 'not_expressible',
  },
  container_overprovisioned: {
    facts: workloads({ containers: [aContainer({ usage: used(100, 500 * mib), decision: aSize(200, 600 * mib) })] }),
    becomes: 'file',
  },
  container_underprovisioned: {
    facts: workloads({
      containers: [
        aContainer({
          cpuRequestMillicores: 100,
          memoryRequestKib: 256 * mib,
          decision: aSize(95, 345 * mib),
          usage: used(50, 300 * mib),
        }),
      ],
    }),
    becomes: 'file',
  },
  control_plane_extended_support: {
    facts: {
      controlPlane: {
        provider: 'aws',
        version: '1.31',
        supportEndsAt: NOW - DAY,
        surchargeUsdPerMonth: 365,
        upgrade: null,
      },
    },
    becomes: 'not_expressible',
  },
  cpu_limit_throttling: {
    facts: workloads({
      containers: [
        aContainer({
          cpuLimitMillicores: 1000,
          usage: aUsage(),
          decision: aSize(120, 100 * mib),
          throttling: { periods: 100_000, throttledPeriods: 50_000 },
        }),
      ],
    }),
    becomes: 'file',
  },
  cronjob_failing: { facts: { cronJobs: [aCronJob()] }, becomes: 'file' },
  daemonset_overhead: {
    facts: { pools: [aPool({ daemons: { cpuMillicores: 4000, memoryKib: 0 } })] },
    becomes: 'not_expressible',
  },
  failed_pods_holding: {
    facts: workloads({ stuckPods: [{ name: 'web-2', since: NOW - 2 * HOUR, cpuMillicores: 500, memoryKib: 0 }] }),
    becomes: 'needs_investigation',
  },
  gpu_idle: {
    facts: workloads({
      gpu: { count: 1, usdPerMonth: 1500 },
      containers: [aContainer({ usage: used(3, 500 * mib), decision: aSize(10, 600 * mib) })],
    }),
    becomes: 'file',
  },
  hpa_min_replicas_high: {
    facts: workloads({
      replicas: 10,
      autoscaler: {
        kind: 'hpa',
        name: 'web-scaler',
        replicasMin: 10,
        replicasMax: 20,
        cpuTargetPercent: 60,
        hasOtherMetrics: false,
        history: { days: 14, atMinShare: 1, cpuUsePercent: 20 },
      },
    }),
    becomes: 'file',
  },
  init_container_inflates: {
    facts: workloads({
      containers: [aContainer({ name: 'migrate', kind: 'init', cpuRequestMillicores: 3000 }), aContainer()],
    }),
    becomes: 'file',
  },
  job_overprovisioned: {
    facts: workloads({
      kind: 'CronJob',
      replicas: 0,
      containers: [
        aContainer({
          usage: {
            ...used(100, 300 * mib),
            runs: 12,
            replicasMean: 0.5,
            startUp: { samples: 60, cpuMaxUnits: 2000, memoryMaxKib: 300 * mib },
          },
        }),
      ],
    }),
    becomes: 'file',
  },
  jvm_heap_mismatch: {
    facts: workloads({
      containers: [aContainer({ memoryRequestKib: 4 * gib, memoryLimitKib: null, heapMaxKib: gib })],
    }),
    becomes: 'file',
  },
  label_owner_missing: { facts: workloads({ labels: {} }), becomes: 'value_missing' },
  limits_memory_missing: {
    facts: workloads({ containers: [aContainer({ memoryLimitKib: null, usage: aUsage() })] }),
    becomes: 'file',
  },
  loadbalancer_orphaned: {
    facts: {
      balancers: [{ namespace: 'shop', name: 'front', type: 'nlb', unreadySince: NOW - 24 * HOUR, usdPerMonth: 18 }],
    },
    becomes: 'delete_by_hand',
  },
  namespace_idle: {
    facts: {
      namespaces: [
        aNamespace({ pods: 0, cloudResources: 2, cloudResourcesUsdPerMonth: 30, unusedSince: NOW - 7 * DAY }),
      ],
    },
    becomes: 'delete_by_hand',
  },
  node_fragmentation: {
    facts: { pools: [aPool({ requested: { cpuMillicores: 6400, memoryKib: 56 * gib } })] },
    becomes: 'not_expressible',
  },
  node_instance_type_mismatch: {
    facts: {
      nodes: fourNodes(),
      pools: [
        aPool({
          cheaperSet: {
            usdPerMonth: 250,
            boundUsdPerMonth: 240,
            machines: [{ type: 'm6i.large', count: 2 }],
            swappedUsdPerMonth: 0,
            headroomPercent: 10,
            daysOfPeak: 31,
          },
        }),
      ],
    },
    becomes: 'not_expressible',
  },
  node_underutilized_drain: {
    facts: { nodes: [aNode({ fate: { kind: 'free', podsMoved: 3 } })] },
    becomes: 'delete_by_hand',
  },
  nonprod_offhours_schedule: {
    facts: {
      namespaces: [
        aNamespace({
          name: 'staging',
          requestUsdPerMonth: 168,
          rhythm: { days: 14, coverage: 1, officeCpuMillicores: 2000, offCpuMillicores: 100 },
        }),
      ],
    },
    becomes: 'not_expressible',
  },
  old_generation_instance: {
    facts: {
      nodes: [aNode({ instanceType: 'm4.xlarge', successor: { instanceType: 'm5.xlarge', usdPerMonth: 90 } })],
    },
    becomes: 'not_expressible',
  },
  pv_orphaned: { facts: { volumes: [aVolume({ unmountedSince: NOW - 7 * DAY })] }, becomes: 'delete_by_hand' },
  pv_overprovisioned: { facts: { volumes: [aVolume({ usedKib: 20 * gib })] }, becomes: 'not_expressible' },
  quota_unused: {
    facts: {
      namespaces: [
        aNamespace({
          quotas: [
            {
              name: 'quota',
              cpuMillicores: 8000,
              memoryKib: null,
              usedCpuMillicores: 2000,
              usedMemoryKib: 0,
              days: 30,
            },
          ],
        }),
      ],
    },
    becomes: 'not_expressible',
  },
  replicas_overprovisioned: {
    facts: workloads({
      replicas: 6,
      containers: [aContainer({ decision: aSize(10, 700 * mib), usage: { ...used(8, 600 * mib), replicasMean: 6 } })],
    }),
    becomes: 'file',
  },
  requests_missing: {
    facts: workloads({
      containers: [
        aContainer({
          cpuRequestMillicores: null,
          memoryRequestKib: null,
          memoryLimitKib: null,
          usage: aUsage(),
          decision: aSize(120, 100 * mib),
        }),
      ],
    }),
    becomes: 'file',
  },
  sidecar_overprovisioned: {
    facts: workloads(...['a', 'b', 'c'].map((name) => ({ name, containers: [proxy] }))),
    becomes: 'container_not_in_template',
  },
  spot_candidate: {
    facts: workloads({ replicas: 3, placement: { ...NO_PLACEMENT, spotDiscount: 0.6 } }),
    becomes: 'not_expressible',
  },
  storage_class_downgrade: {
    facts: { volumes: [aVolume({ storageClass: 'gp2', cheaper: { storageClass: 'gp3', usdPerMonth: 8 } })] },
    becomes: 'not_expressible',
  },
  workload_abandoned: {
    facts: workloads({ containers: [aContainer({ usage: used(1, 100 * mib) })] }),
    becomes: 'file',
  },
}

/** As the server would request it: only workloads have a shape. */
function wantedOf(finding: RuleFinding, facts: ClusterFacts): WantedChange {
  const { change, currentSpec, recommendedSpec, workload, action } = finding
  const seen = facts.workloads.find(({ name }) => name === workload?.name)
  const containers = seen?.containers.map(
    ({ name, kind, cpuRequestMillicores, memoryRequestKib, cpuLimitMillicores, memoryLimitKib }) =>
      liveContainer({
        name,
        list: kind === 'init' ? 'initContainers' : 'containers',
        requests: { cpuMillicores: cpuRequestMillicores, memoryKib: memoryRequestKib },
        limits: { cpuMillicores: cpuLimitMillicores, memoryKib: memoryLimitKib },
      }),
  )
  const { kind = 'Deployment', name = '', namespace = '' } = seen ?? {}
  const apiVersion = kind === 'CronJob' ? 'batch/v1' : 'apps/v1'
  return {
    id: 'rec_1',
    clusterId: 'cls_1',
    clusterName: 'prod',
    change,
    ...(action ? { action } : {}),
    current: currentSpec,
    recommended: recommendedSpec,
    live: containers ? liveWorkload({ apiVersion, kind, name, namespace, containers }) : 'not_seen',
  }
}

test('every rule is here', () => {
  expect(Object.keys(examples).toSorted()).toEqual(RULES.map(({ id }) => id).toSorted())
})

test.each(RULES.map((rule) => [rule.id, rule] as const))('the receipt of %s adds up to its savings', (id, rule) => {
  const [finding] = evaluateRule(rule, someFacts(examples[id]?.facts)).findings
  if (!finding) throw new Error(`${id} has no finding`)
  const lines = finding.evidence.savingLines
  const sum = lines.reduce((total, { usdPerMonth }) => total + usdPerMonth, 0)
  // Alone and below the cost of the object, so nothing is added to the receipt of the rule.
  expect(Math.abs(sum - finding.estimatedUsdPerMonth)).toBeLessThan(SEEN_USD_MIN)
  expect(savingLinesOf(finding, lines)).toEqual(lines)
  for (const { quantity, price, usdPerMonth } of lines) {
    const hours = price?.per === 'hour' ? 730 : 1
    if (quantity !== null && price !== null) expect(quantity * price.usd * hours).toBeCloseTo(usdPerMonth, 6)
  }
})

test.each(RULES.map((rule) => [rule.id, rule] as const))(
  'the recommendation of %s is a file, or has commands',
  (id, rule) => {
    const { facts, becomes } = examples[id] ?? { facts: {}, becomes: 'file' }
    const all = someFacts(facts)
    const [finding] = evaluateRule(rule, all).findings
    if (!finding) throw new Error(`${id} has no finding`)
    const wanted = wantedOf(finding, all)
    const { files, skipped } = renderSome([wanted], 'kustomize')
    expect(skipped.map(({ code }) => code)).toEqual(becomes === 'file' ? [] : [becomes])
    expect(files.length > 0).toBe(becomes === 'file')

    for (const format of MANIFEST_FORMATS) {
      for (const { code, message, alternativeFormat } of renderSome([wanted], format).skipped) {
        // Waiting does not help, and a named alternative format must work.
        expect(code, format).not.toBe('workload_not_seen')
        if (alternativeFormat) expect(renderSome([wanted], alternativeFormat).files, format).not.toEqual([])
        else expect(message, format).toMatch(/\. .{15,}\.$/)
      }
    }
  },
)

describe.each(['aws', 'gcp', 'azure', 'other'])('at the provider %s', (provider) => {
  test.each(RULES.map((rule) => [rule.id, rule] as const))(
    'the recommendation of %s can be carried out',
    (id, rule) => {
      const all = someFacts(examples[id]?.facts)
      const [finding] = evaluateRule(rule, all).findings
      if (!finding) throw new Error(`${id} has no finding`)
      const wanted = { ...wantedOf(finding, all), provider, region: 'here-1' }
      const { files, commands } = renderSome([wanted], 'kustomize')
      const lines = commands.flatMap(({ steps }) => steps.flatMap((step) => step.commands))
      // A control plane outside the known providers has no command line that is known.
      const isUnknown = id === 'control_plane_extended_support' && provider === 'other'
      expect(files.length > 0 || lines.length > 0).toBe(!isUnknown)
      expect(files.length > 0 && lines.length > 0).toBe(false)
      for (const line of lines) expect(line).not.toMatch(/undefined|NaN|\[object/)
    },
  )
})
