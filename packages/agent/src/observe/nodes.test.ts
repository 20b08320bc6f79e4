import { expect, test } from 'vitest'
import { csiNodeFacts } from '../kinds/csi-nodes.ts'
import { Refs } from './object-versions.ts'
import { Nodes } from './nodes.ts'

const aNode = (uid: string) => ({ metadata: { uid, name: 'worker-1' }, status: { capacity: { cpu: '4' } } })
const aCsiNode = (uid: string, count?: number) => ({
  metadata: { uid, name: 'worker-1' },
  spec: { drivers: [{ name: 'ebs.csi.aws.com', ...(count === undefined ? {} : { allocatable: { count } }) }] },
})

function setNode(nodes: Nodes, uid: string, second: number): void {
  const known = nodes.read(aNode(uid))
  if (known) nodes.set(known, second)
}

function setCsi(nodes: Nodes, object: ReturnType<typeof aCsiNode>, second: number): void {
  const facts = csiNodeFacts(object)
  if (facts) nodes.setCsi(facts, second)
}

const sent = (nodes: Nodes) => nodes.take().versions.map(({ uid, from, attachLimits }) => [uid, from, attachLimits])

test('a node has the attach limits of its CSINode, in either order of arrival', () => {
  const limits = { 'ebs.csi.aws.com': 25 }
  const nodeFirst = new Nodes(new Refs())
  setNode(nodeFirst, 'a', 10)
  setCsi(nodeFirst, aCsiNode('csi-a', 25), 10)
  expect(sent(nodeFirst)).toEqual([['a', 10, limits]])
  const csiFirst = new Nodes(new Refs())
  setCsi(csiFirst, aCsiNode('csi-a', 25), 10)
  setNode(csiFirst, 'a', 11)
  expect(sent(csiFirst)).toEqual([['a', 11, limits]])
})

test('changed limits are a new version, and the limits of a deleted CSINode are unknown', () => {
  const nodes = new Nodes(new Refs())
  setNode(nodes, 'a', 10)
  setCsi(nodes, aCsiNode('csi-a', 25), 10)
  nodes.take()
  setCsi(nodes, aCsiNode('csi-a', 25), 20)
  expect(sent(nodes)).toEqual([])
  setCsi(nodes, aCsiNode('csi-a', 0), 30)
  expect(sent(nodes)).toEqual([['a', 30, { 'ebs.csi.aws.com': 0 }]])
  nodes.endCsi('csi-a', 40)
  expect(sent(nodes)).toEqual([['a', 40, undefined]])
})

test('a driver without a count has no limit', () => {
  const nodes = new Nodes(new Refs())
  setNode(nodes, 'a', 10)
  setCsi(nodes, aCsiNode('csi-a'), 10)
  expect(sent(nodes)).toEqual([['a', 10, undefined]])
})

test('a new node with a reused name has the limits of the new CSINode, even if the old CSINode ends later', () => {
  const nodes = new Nodes(new Refs())
  setNode(nodes, 'a', 10)
  setCsi(nodes, aCsiNode('csi-a', 25), 10)
  nodes.take()
  setNode(nodes, 'b', 20)
  setCsi(nodes, aCsiNode('csi-b', 8), 20)
  nodes.end('a', 20)
  nodes.endCsi('csi-a', 20)
  expect(sent(nodes)).toEqual([['b', 20, { 'ebs.csi.aws.com': 8 }]])
  expect(nodes.refOf('worker-1')).toBe(2)
})
