import { expect, test } from 'vitest'
import { KubeletTally, type Round } from './kubelet-tally.ts'

/** A round over this many nodes, of which the given ones are unreadable. */
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

test('a kubelet that fails once or twice is not reported, and a permanent failure is', () => {
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

test('a tenth of the nodes may stay unreadable, more are reported', () => {
  const [tenth, more] = [round(20, 0, 1), round(20, 0, 1, 2)]
  expect(after(tenth, tenth, tenth, tenth).condition()).toBeUndefined()
  expect(after(more, more, more).condition()?.message).toBe('The agent cannot read 3 of 20 kubelets.')
})

test('only nodes that stay unreadable are counted, not changing ones', () => {
  expect(after(round(5, 0), round(5, 1), round(5, 2), round(5, 3)).condition()).toBeUndefined()
  expect(after(round(5, 0, 1), round(5, 0, 2), round(5, 0, 3)).condition()?.message).toContain('1 of 5')
})

test('a removed node is dropped', () => {
  const bad = round(3, 2)
  expect(after(bad, bad, bad, round(2)).condition()).toBeUndefined()
  expect(after(bad, bad, bad, []).condition()).toBeUndefined()
})

test('if no kubelet is readable it is reported at once, until a volume round succeeds', () => {
  const tally = after(round(2, 0, 1))
  expect(tally.condition()?.message).toBe('The agent cannot read 2 of 2 kubelets.')
  tally.addVolumes(round(2, 0, 1))
  expect(tally.condition()?.message).toBe('The agent cannot read 2 of 2 kubelets.')
  tally.addVolumes(round(2))
  expect(tally.condition()).toBeUndefined()
})

test('unreadable volumes are not reported while usage is readable', () => {
  const tally = new KubeletTally()
  for (let time = 0; time < 4; time += 1) {
    tally.addSample(round(2))
    tally.addVolumes(round(2, 0, 1))
    expect(tally.condition()).toBeUndefined()
  }
})
