import { expect, test } from 'vitest'
import { openWorld } from '../world/world.ts'
import { platformWithIncident } from './incident.ts'

const start = 400_000 * 3600

test('a new Job adds GPU nodes in the last day of the history', () => {
  const world = openWorld(platformWithIncident(1), start)
  const countOf = (objects: readonly object[], text: string) =>
    objects.filter((each) => JSON.stringify(each).includes(text)).length
  const after = (hours: number) => {
    while (world.second < start + hours * 3600) world.advance({ measured: false })
    const { nodes, pods } = world.living()
    return { nodes: countOf(nodes, 'g2-standard-8'), pods: countOf(pods, 'embed-catalog') }
  }
  expect(after(3)).toEqual({ nodes: 2, pods: 0 })
  expect(after(5)).toEqual({ nodes: 4, pods: 2 })
})
