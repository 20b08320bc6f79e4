import { expect, test } from 'vitest'
import { aSnapshot } from '../../test/a-snapshot.ts'
import { imageChanges } from './image-changes.ts'

test('a workload with daily releases is not treated as changed', () => {
  const { inventory, watermark } = aSnapshot({ nodes: [{ name: 'n' }], pods: [{ name: 'web-0', node: 0 }] })
  const [pod] = inventory.pods.values()
  const [version] = pod?.versions ?? []
  const [app] = version?.facts.shape.containers ?? []
  if (!pod || !version || !app) return expect.fail('the pod is not as described')
  const hour = 3600
  const release = (image: string, from: number, to: number) => {
    const shape = { ...version.facts.shape, containers: [{ ...app, image }] }
    const endedAt = watermark + to * hour
    const record = {
      ...pod,
      boundAt: watermark + from * hour,
      endedAt,
      versions: [{ ...version, facts: { ...version.facts, shape } }],
    }
    inventory.pods.set(image, record)
    return record
  }
  release('yesterday', -25, -1)
  const today = release('today', -1, Infinity)
  const changedAt = () => imageChanges({ inventory, watermark })(today, { ...app, image: 'today' })
  expect(changedAt()).toBe(watermark - hour)
  release('the day before', -49, -25)
  expect(changedAt()).toBeNull()
  release('yesterday', -49, -25)
  inventory.pods.delete('the day before')
  expect(changedAt()).toBeNull()
})

test('the start of an image is known for a workload with hundreds of thousands of pods', () => {
  const { inventory, watermark } = aSnapshot({ nodes: [{ name: 'n' }], pods: [{ name: 'web-0', node: 0 }] })
  const [pod] = inventory.pods.values()
  const [version] = pod?.versions ?? []
  const [app] = version?.facts.shape.containers ?? []
  if (!pod || !version || !app) return expect.fail('the pod is not as described')
  const withImage = (image: string, boundAt: number) => {
    const shape = { ...version.facts.shape, containers: [{ ...app, image }] }
    return { ...pod, boundAt, versions: [{ ...version, facts: { ...version.facts, shape } }] }
  }
  inventory.pods.set('old', withImage('old', watermark - 900))
  const fresh = withImage('new', watermark - 300)
  for (let index = 0; index < 200_000; index += 1) inventory.pods.set(`pod-${index}`, fresh)
  const first = withImage('new', watermark - 600)
  inventory.pods.set('first', first)
  expect(imageChanges({ inventory, watermark })(first, { ...app, image: 'new' })).toBe(watermark - 600)
})
