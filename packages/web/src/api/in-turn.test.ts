import { expect, test } from 'vitest'
import { makeTurns } from './in-turn.ts'

const later = <Value>(value: Value) => new Promise<Value>((resolve) => setTimeout(() => resolve(value), 5))

test('a second edit starts after the first one, and only the last one reloads', async () => {
  const said: string[] = []
  const inTurn = makeTurns()
  const edit = (name: string) =>
    inTurn(
      async () => {
        said.push(`${name} begins`)
        await later(undefined)
        said.push(`${name} ends`)
        return true
      },
      async () => said.push(`looks after ${name}`),
    )
  await Promise.all([edit('first'), edit('second')])
  expect(said).toEqual(['first begins', 'first ends', 'second begins', 'second ends', 'looks after second'])
})

test('edits queued behind a failed edit are dropped, and later edits run', async () => {
  const done: string[] = []
  const inTurn = makeTurns()
  const edit = (name: string, isFine: boolean) =>
    inTurn(
      async () => {
        done.push(name)
        return later(isFine)
      },
      async () => undefined,
    )
  const outcomes = await Promise.all([edit('refused', false), edit('waiting', true), edit('last', true)])
  expect(outcomes).toEqual(['failed', 'dropped', 'dropped'])
  expect(done).toEqual(['refused'])
  expect(await edit('anew', true)).toBe('done')
  expect(done).toEqual(['refused', 'anew'])
})
