import { expect, test } from 'vitest'
import { gcpPlatform } from '../scenarios/gcp-platform.ts'
import { openWorld } from './world.ts'

const { nodes, pods } = openWorld(gcpPlatform, 1_767_225_600).living()
const byRef = new Map(nodes.map((node) => [node.ref, node]))

test('nodes of a dedicated pool, including GPU nodes, are tainted, and the others are not', () => {
  const dedicated = new Set(gcpPlatform.pools.flatMap((pool) => (pool.dedicated ? [pool.name] : [])))
  expect(nodes.some(({ gpuCapacity, taints }) => gpuCapacity > 0 && taints)).toBe(true)
  for (const { pool, taints } of nodes) expect(taints !== undefined).toBe(dedicated.has(pool))
})

test('every pod tolerates the taints of its node', () => {
  for (const { nodeRef, shape } of pods) {
    for (const taint of byRef.get(nodeRef)?.taints ?? []) {
      const isTolerated = (shape.scheduling?.tolerations ?? []).some(
        ({ key, value }) => key === undefined || (key === taint.key && value === taint.value),
      )
      expect(isTolerated).toBe(true)
    }
  }
})
