import type { ObjectSpec } from '@plimsoll/contract'
import { expect, test } from 'vitest'
import { aScenario, aWorkload, START } from '../../test/a-scenario.ts'
import { openWorld } from './world.ts'

test('a world sends its autoscalers, PodDisruptionBudgets, quotas and limits once and on every change', () => {
  const world = openWorld(
    aScenario({
      namespaces: [{ name: 'shop', quota: { cpuMillicores: 4000, memoryMib: 4096 } }],
      workloads: [
        aWorkload({
          replicas: 2,
          disruptionBudget: { minAvailable: 1 },
          annotations: { 'plimsoll.dev/ignore': 'true' },
          autoscaler: { replicasMin: 1, replicasMax: 4, targetPercent: 40 },
        }),
      ],
    }),
    START,
  )
  const specsByKind = (facts: { objects: readonly { kind: string; spec: object }[] }) =>
    Object.fromEntries(facts.objects.map(({ kind, spec }) => [kind, spec]))
  expect(specsByKind(world.living())).toEqual({
    node_pool: { scaler: 'none' },
    quota: {
      hard: { cpu_request: 4000, memory_request: 4096 * 1024 },
      used: { cpu_request: 1000, memory_request: 1024 * 1024 },
    },
    workload: {
      workload_kind: 'Deployment',
      replicas: 2,
      labels: { 'app.kubernetes.io/name': 'web' },
      annotations: { 'plimsoll.dev/ignore': 'true' },
      containers: {
        app: { image: 'registry.example.com/app:1.0', request_managers: ['kubectl-client-side-apply'] },
      },
    },
    autoscaler: {
      scaler: 'hpa',
      target_kind: 'Deployment',
      target_name: 'web',
      replicas_min: 1,
      replicas_max: 4,
      replicas: 2,
      cpu_target_percent: 40,
      cpu_metric_index: 0,
    },
    budget: { selector: { labels: { 'app.kubernetes.io/name': 'web' } }, disruptions_allowed: 1 },
  })
  // Constant usage of 0.2 of 0.5 cores with a target of 40 %: two replicas are right, and nothing changes.
  expect(world.advance().objects).toEqual([])
})

test('a scaled workload is sent again, with its PodDisruptionBudget and quota', () => {
  const world = openWorld(
    aScenario({
      workloads: [aWorkload({ replicas: 2, disruptionBudget: { minAvailable: 1 } })],
      happenings: [{ kind: 'scale', atSecond: 30, namespace: 'shop', workload: 'web', replicas: 3 }],
    }),
    START,
  )
  expect(world.advance().objects.map(({ kind, spec }) => [kind, spec])).toMatchObject([
    ['workload', { replicas: 3 }],
    ['budget', { disruptions_allowed: 2 }],
  ])
})

test('a CronJob sends its last run and last success, with a valid cron schedule', () => {
  const report = aWorkload({ name: 'report', kind: 'CronJob', runs: { everyMinutes: 2, seconds: 20 } })
  const world = openWorld(aScenario({ workloads: [report] }), START)
  for (let minute = 0; minute < 3; minute += 1) world.advance()
  const cronJob = world.living().objects.find(({ kind }) => kind === 'workload')
  expect(cronJob?.spec).toMatchObject({ schedule: '*/2 * * * *' })
  const { last_run_at: run = 0, last_success_at: success = 0 } = cronJob?.spec as ObjectSpec<'workload'>
  expect(run).toBeGreaterThanOrEqual(START)
  expect(success).toBeGreaterThan(run)
})
