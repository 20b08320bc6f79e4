import { expect, test } from 'vitest'
import { scriptedObserver } from '../../test/scripted-observer.ts'
import { seenEnough } from './seen-enough.ts'

const usage = (reason: string) => [
  { kind: 'usage', status: 'absent' as const, reason, message: 'The cluster has no usage source.' },
]

async function look(reason: string, signal = new AbortController().signal) {
  const messages: string[] = []
  let slept = 0
  const sleep = async (seconds: number) => void (slept += seconds)
  const observer = { ...scriptedObserver(), conditions: () => usage(reason) }
  await seenEnough(observer, { logInfo: (message) => messages.push(message), sleep }, signal)
  return { messages, slept }
}

test('reports what it waits for: the lists, then 40 seconds of usage', async () => {
  const { messages, slept } = await look('NotChosenYet')
  expect(messages).toEqual(['listing all resources', 'all resources are listed; sampling container usage for 40 s'])
  expect(slept).toBe(40)
})

test('without a usage source it does not wait, and reports that', async () => {
  const { messages, slept } = await look('NoSource')
  expect(messages.at(-1)).toContain('The cluster has no usage source.')
  expect(slept).toBe(0)
})

test('a stopped agent does not wait', async () => {
  expect((await look('NotChosenYet', AbortSignal.abort())).slept).toBe(0)
})
