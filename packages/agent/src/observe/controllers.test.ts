import { expect, test } from 'vitest'
import type { ObjectFacts } from '../kinds/objects.ts'
import type { WorkloadFacts } from '../kinds/workloads.ts'
import { ObjectVersions, Refs } from './object-versions.ts'
import { Controllers } from './controllers.ts'
import { Owners } from './owners.ts'

function open() {
  const objects = new ObjectVersions<ObjectFacts>(new Refs())
  const controllers = new Controllers(new Owners(), objects)
  const failures = () =>
    (objects.get('cron')?.facts.spec as { failures_in_a_row?: number } | undefined)?.failures_in_a_row
  return { controllers, failures }
}

const cronJob = (lastSuccessAt: number): WorkloadFacts => ({
  uid: 'cron',
  name: 'nightly',
  namespace: 'shop',
  kind: 'CronJob',
  spec: { workload_kind: 'CronJob', last_success_at: lastSuccessAt },
  failedAt: 0,
})

const failedRun = (number: number): WorkloadFacts => ({
  uid: `job-${number}`,
  name: `nightly-${number}`,
  namespace: 'shop',
  kind: 'Job',
  owner: { kind: 'CronJob', uid: 'cron', name: 'nightly' },
  spec: { workload_kind: 'Job' },
  failedAt: 100 + number,
})

test('failures since the last success are counted, including failures of deleted Jobs', () => {
  const { controllers, failures } = open()
  controllers.set(cronJob(0), 1)
  for (const number of [1, 2, 3]) {
    controllers.set(failedRun(number), 2)
    controllers.end(`job-${number}`, 3)
  }
  expect(failures()).toBe(3)
  controllers.set(cronJob(102), 4)
  expect(failures()).toBe(1)
})

test('the failures of a CronJob are counted up to a thousand', () => {
  const { controllers, failures } = open()
  controllers.set(cronJob(0), 1)
  for (let number = 0; number < 1200; number += 1) controllers.set(failedRun(number), 2)
  expect(failures()).toBe(1000)
})

test('failures of a deleted CronJob are dropped, and failures before the CronJob is seen are stored', () => {
  const { controllers, failures } = open()
  controllers.set(failedRun(1), 1)
  controllers.set(cronJob(0), 2)
  expect(failures()).toBe(1)
  controllers.end('cron', 3)
  controllers.set(failedRun(1), 4)
  controllers.end('job-1', 5)
  controllers.set(cronJob(0), 6)
  expect(failures()).toBeUndefined()
})
