import fc from 'fast-check'
import { expect, test } from 'vitest'
import { aNodeClass } from '../../test/a-node-class.ts'
import { loadCheckpoint, saveCheckpoint } from '../../test/checkpoint.ts'
import { clockSection } from './checkpoint/clock-section.ts'
import { Numbers } from './checkpoint/section.ts'
import { emptyFoldState } from './fold-state.ts'
import { KubernetesVersions } from './kubernetes-versions.ts'

const versionsFrom = (...notes: [version: string, at: number][]) => {
  const versions = new KubernetesVersions()
  for (const [version, at] of notes) versions.note(version, at)
  return versions
}

test('a version applies from its first observation; the first version also applies before', () => {
  const versions = versionsFrom(['v1.33.4-eks-d6fa34b', 100], ['1.34.0', 200], ['1.33.4', 150])
  expect([0, 100, 199, 200, 900].map((second) => versions.at(second))).toEqual(['1.33', '1.33', '1.33', '1.34', '1.34'])
  expect(versions.spansIn({ from: 0, to: 300 })).toEqual([
    { version: '1.33', from: 0, to: 200 },
    { version: '1.34', from: 200, to: 300 },
  ])
})

test('a version returns what it changes: nothing, the time from a second on, or the whole history', () => {
  const versions = new KubernetesVersions()
  const notes: [string, number][] = [
    ['1.33', 100],
    ['1.33', 150],
    ['1.34', 300],
    ['1.34', 200],
    ['1.32', 50],
    ['not a version', 10],
  ]
  expect(notes.map(([version, at]) => versions.note(version, at))).toEqual([0, undefined, 300, 200, 0, undefined])
})

test('any order gives the same pieces, and the pieces cover the window', () => {
  const upgrades = fc
    .array(fc.nat(1000), { minLength: 1, maxLength: 20 })
    .map((times) =>
      times.sort((a, b) => a - b).map((at): [string, number] => [`1.${30 + Math.floor(at / 300)}.${at % 7}`, at]),
    )
  fc.assert(
    fc.property(upgrades, fc.nat(), (notes, seed) => {
      const shuffled = notes.map((note, index) => ({ note, key: (index * 7919 + seed) % 101 }))
      const other = versionsFrom(...shuffled.sort((a, b) => a.key - b.key).map(({ note }) => note))
      const spans = versionsFrom(...notes).spansIn({ from: 10, to: 990 })
      expect(other.spansIn({ from: 10, to: 990 })).toEqual(spans)
      expect(spans.reduce((sum, { from, to }) => sum + to - from, 0)).toBe(980)
    }),
  )
})

test('a hostile agent cannot make the list grow without limit', () => {
  const versions = new KubernetesVersions()
  for (let each = 0; each < 5000; each += 1) versions.note(`1.${each}.0`, each)
  expect(versions.list().length).toBeLessThanOrEqual(100)
})

test('a checkpoint holds the versions, and an older checkpoint has the last version', () => {
  const state = emptyFoldState(aNodeClass)
  state.kubernetes.note('1.33', 100)
  state.kubernetes.note('1.34', 200)
  expect(loadCheckpoint(saveCheckpoint(state), aNodeClass).kubernetes.list()).toEqual(state.kubernetes.list())

  const old = emptyFoldState(aNodeClass)
  const agent = { version: '1', kubernetes_version: 'v1.31.2', usage_source: 'kubelet' as const }
  clockSection.load(old, { firstSecond: 0, watermark: 500, agent }, new Numbers())
  expect(old.kubernetes.at(10)).toBe('1.31')
})
