import fc from 'fast-check'
import { expect, test } from 'vitest'
import { ObjectVersions, Refs } from './object-versions.ts'

type Thing = { uid: string; value: number }

test('versions, changes and ends are sent once', () => {
  const things = new ObjectVersions<Thing>(new Refs())
  things.set({ uid: 'a', value: 1 }, 100)
  things.set({ uid: 'a', value: 1 }, 101)
  things.set({ uid: 'a', value: 2 }, 102)
  expect(things.take().versions.map(({ from, facts }) => [from, facts.value])).toEqual([
    [100, 1],
    [102, 2],
  ])
  things.end('a', 103)
  expect(things.take()).toEqual({ versions: [], ends: [{ ref: 1, at: 103 }] })
})

test('an object that exists for less than a second is never sent', () => {
  const things = new ObjectVersions<Thing>(new Refs())
  things.set({ uid: 'a', value: 1 }, 100)
  things.end('a', 100)
  expect(things.take()).toEqual({ versions: [], ends: [] })
})

test('after the clock was set back, no living object begins in the future, also in later calls', () => {
  const things = new ObjectVersions<Thing>(new Refs())
  things.set({ uid: 'old', value: 1 }, 100)
  things.set({ uid: 'a', value: 1 }, 5000)
  things.set({ uid: 'a', value: 2 }, 5001)
  const living = () => things.living(1000).map(({ uid, from }) => [uid, from])
  expect(living()).toEqual([
    ['old', 100],
    ['a', 1000],
  ])
  things.set({ uid: 'a', value: 3 }, 1010)
  const versions = things.take().versions.map(({ facts, from }) => [facts.uid, facts.value, from])
  expect(versions).toEqual([
    ['old', 1, 100],
    ['a', 2, 1000],
    ['a', 3, 1010],
  ])
})

test('after the clock was set back, no object ends in the future, and objects that existed only there are dropped', () => {
  const things = new ObjectVersions<Thing>(new Refs())
  things.set({ uid: 'sent', value: 1 }, 4000)
  things.take()
  things.set({ uid: 'waiting', value: 1 }, 900)
  things.set({ uid: 'ahead', value: 1 }, 5000)
  things.set({ uid: 'sent', value: 2 }, 5000)
  for (const uid of ['sent', 'waiting', 'ahead']) things.end(uid, 5002)
  expect(things.living(1000)).toEqual([])
  const { versions, ends } = things.take()
  expect(versions.map(({ facts, from }) => [facts.uid, from])).toEqual([['waiting', 900]])
  expect(ends).toEqual([
    { ref: 1, at: 1000 },
    { ref: 2, at: 1000 },
  ])
})

test('an end shortly after the requested time is not changed', () => {
  const things = new ObjectVersions<Thing>(new Refs())
  things.set({ uid: 'a', value: 1 }, 90)
  things.end('a', 102)
  things.living(100)
  expect(things.take().ends).toEqual([{ ref: 1, at: 102 }])
})

test('a reserved ref is dropped after an hour without its object', () => {
  const things = new ObjectVersions<Thing>(new Refs())
  const ref = things.refOf('never')
  for (let minute = 0; minute < 60; minute += 1) things.take()
  expect(things.refOf('never')).toBe(ref)
  things.take()
  expect(things.refOf('never')).not.toBe(ref)
})

test('a start shortly after the requested time is not changed', () => {
  const things = new ObjectVersions<Thing>(new Refs())
  things.set({ uid: 'a', value: 1 }, 102)
  expect(things.living(100).map(({ from }) => from)).toEqual([102])
})

test('an object gets the ref that was reserved for it', () => {
  const things = new ObjectVersions<Thing>(new Refs())
  const ref = things.refOf('late')
  expect(things.set({ uid: 'late', value: 1 }, 100).ref).toBe(ref)
})

test('an object never has two facts in one second, and its last fact is its state', () => {
  const step = fc.record({
    uid: fc.constantFrom('a', 'b'),
    value: fc.nat(2),
    isEnd: fc.boolean(),
    later: fc.nat(2),
    isTaken: fc.boolean(),
  })
  fc.assert(
    fc.property(fc.array(step, { maxLength: 40 }), (steps) => {
      const things = new ObjectVersions<Thing>(new Refs())
      const reported = new Map<number, { at: number; value: number | undefined }[]>()
      const take = () => {
        const { versions, ends } = things.take()
        const add = (ref: number, at: number, value: number | undefined) =>
          reported.set(ref, [...(reported.get(ref) ?? []), { at, value }])
        for (const { entry, from, facts } of versions) add(entry.ref, from, facts.value)
        for (const { ref, at } of ends) add(ref, at, undefined)
      }
      let second = 100
      for (const { uid, value, isEnd, later, isTaken } of steps) {
        second += later
        if (isEnd) things.end(uid, second)
        else things.set({ uid, value }, second)
        if (isTaken) take()
      }
      take()
      const living = new Map([...things.entries()].map(({ ref, facts }) => [ref, facts.value]))
      for (const [ref, facts] of reported) {
        expect(new Set(facts.map(({ at }) => at)).size).toBe(facts.length)
        const newest = facts.reduce((a, b) => (b.at > a.at ? b : a))
        expect(newest.value).toBe(living.get(ref))
      }
      for (const ref of living.keys()) expect(reported.has(ref)).toBe(true)
    }),
  )
})
