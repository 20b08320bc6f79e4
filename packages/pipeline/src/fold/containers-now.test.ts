import { expect, test } from 'vitest'
import { now, aSnapshot } from '../../test/a-snapshot.ts'
import { containersNow } from './containers-now.ts'

/** A pod whose run ended half an hour ago. */
const endedPod = (workloadKind: string) =>
  aSnapshot({
    nodes: [{ name: 'a' }],
    more: (writer) => {
      writer.addPod({
        ...{ ref: 100, uid: 'run', from: now - 3600, name: 'report-29000000-abcde', namespace: 'shop' },
        ...{ nodeRef: 1, boundAt: now - 3600, phase: 'running', labels: {}, workloadKind, workloadName: 'report' },
        shape: { containers: [{ name: 'app', kind: 'app', cpu_request: 1000, memory_request: 1024 }] },
      })
      writer.addEnd({ ref: 100, at: now - 1800 })
    },
  })

test('the container of a CronJob is known between its runs, without pods', () => {
  expect(containersNow(endedPod('CronJob'))).toMatchObject([
    { key: ['shop', 'CronJob', 'report', 'app'], cpuRequest: 1000, memoryRequest: 1024, pods: 0 },
  ])
})

test('the container of an ended pod of a Deployment is gone', () => {
  expect(containersNow(endedPod('Deployment'))).toEqual([])
})
