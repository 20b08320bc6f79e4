import { expect, test } from 'vitest'
import { replicasMeanOf } from './size-fleets.ts'
import type { StoredHours } from './usage-reader.ts'

const daySeconds = 86_400
const stored = (dayPods: number, weekPods: number) =>
  ({ figures: { dayPodSeconds: dayPods * daySeconds, weekPodSeconds: weekPods * 7 * daySeconds } }) as StoredHours

test('a workload counts with the lower mean of day and week, a CronJob with the mean of its week', () => {
  expect(replicasMeanOf(stored(4, 2), { kind: 'Deployment' })).toBe(2)
  expect(replicasMeanOf(stored(1, 2), { kind: 'Deployment' })).toBe(1)
  // No run in the last day.
  expect(replicasMeanOf(stored(0, 0.25), { kind: 'CronJob' })).toBe(0.25)
})
