import { expect, test } from 'vitest'
import { isFull } from '../../../test/rounds.ts'
import { fullSize } from '../../simulator/src/index.ts'
import { proveFold } from './prove-fold.ts'
import { useTestApp } from './test-app.ts'

const t = useTestApp()

/** The short version of `npm run bench:proof`. */
test(
  'the same facts give the same rows: out of order, twice, under two epochs, and with a gap that is filled late',
  { timeout: 300_000 },
  async () => {
    const size = isFull ? { nodes: 4, podsPerNode: 6, workloads: 8 } : { nodes: 2, podsPerNode: 4, workloads: 4 }
    const cluster = { ...fullSize, ...size, churnPerHour: 0.6 }
    const runs = await proveFold(t.deps, { cluster, minutes: 85, gap: { fromMinute: 45, minutes: 20 }, foldEvery: 12 })
    const [clean, ...others] = runs
    // Two hours of each workload.
    expect(clean?.fingerprint.workload_hour?.rows).toBe(2 * size.workloads)
    expect(others).toHaveLength(4)
    for (const { name, fingerprint } of others)
      expect({ name, fingerprint }).toEqual({ name, fingerprint: clean?.fingerprint })
  },
)
