import { expect, test } from 'vitest'
import { KubeletTally, type Round } from './kubelet-tally.ts'

/** So many nodes, of which those with these numbers cannot be read. */
const round = (nodes: number, ...failing: number[]): Round =>
  Array.from({ length: nodes }, (_, node) => ({
    place: { host: `10.0.0.${node}`, port: 10_250 },
    ...(failing.includes(node) ? { error: new Error(`node ${node} is silent`) } : {}),
  }))

function after(...rounds: Round[]): KubeletTally {
  const tally = new KubeletTally()
  for (const each of rounds) tally.addSample(each)
  return tally
}

test('a kubelet that is not read once or twice is no fault of the cluster, and one that stays so is', () => {
  const [bad, good] = [round(5, 2), round(5)]
  expect(after(bad, bad).condition()).toBeUndefined()
  expect(after(bad, bad, good, bad, bad).condition()).toBeUndefined()
  expect(after(bad, bad, bad).condition()).toEqual({
    kind: 'kubelet',
    status: 'failing',
    reason: 'NotAnswering',
    message: 'The agent cannot read 1 of 5 kubelets.',
    detail: 'node 2 is silent',
  })
  expect(after(bad, bad, bad, good).condition()).toBeUndefined()
})

test('a tenth of the nodes may stay unread, more may not', () => {
  const [tenth, more] = [round(20, 0, 1), round(20, 0, 1, 2)]
  expect(after(tenth, tenth, tenth, tenth).condition()).toBeUndefined()
  expect(after(more, more, more).condition()?.message).toBe('The agent cannot read 3 of 20 kubelets.')
})

test('only nodes that stay unread are counted, not one here and another there', () => {
  expect(after(round(5, 0), round(5, 1), round(5, 2), round(5, 3)).condition()).toBeUndefined()
  expect(after(round(5, 0, 1), round(5, 0, 2), round(5, 0, 3)).condition()?.message).toContain('1 of 5')
})

test('a node that is gone is forgotten', () => {
  const bad = round(3, 2)
  expect(after(bad, bad, bad, round(2)).condition()).toBeUndefined()
  expect(after(bad, bad, bad, []).condition()).toBeUndefined()
})

test('that none is read is said at once, and ends with a look at volumes that reads them', () => {
  const tally = after(round(2, 0, 1))
  expect(tally.condition()?.message).toBe('The agent cannot read 2 of 2 kubelets.')
  tally.addVolumes(round(2, 0, 1))
  expect(tally.condition()?.message).toBe('The agent cannot read 2 of 2 kubelets.')
  tally.addVolumes(round(2))
  expect(tally.condition()).toBeUndefined()
})

test('where usage is read, volumes that are not are no fault', () => {
  const tally = new KubeletTally()
  for (let time = 0; time < 4; time += 1) {
    tally.addSample(round(2))
    tally.addVolumes(round(2, 0, 1))
    expect(tally.condition()).toBeUndefined()
  }
})
