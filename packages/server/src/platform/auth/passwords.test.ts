import { hash } from '@node-rs/argon2'
import { beforeEach, expect, test, vi } from 'vitest'
import { Problem } from '../http/problem.ts'
import { Passwords } from './passwords.ts'

type Work = { finish: (matches: boolean) => void; passwordHash: string }

/** Checks that end on demand of the test. */
const running: Work[] = []
const verify = vi.fn((passwordHash: string | Uint8Array) => {
  return new Promise<boolean>((resolve) => running.push({ finish: resolve, passwordHash: String(passwordHash) }))
})
const newPasswords = () => new Passwords({ hash, verify })

beforeEach(() => {
  verify.mockClear()
  running.length = 0
})

/** Promises settle in a few turns; nothing here waits for a timer. */
const settle = () => new Promise((resolve) => setImmediate(resolve))

async function started(count: number): Promise<void> {
  while (running.length < count) await settle()
}

test('a hash is Argon2id with the advised cost, salted', async () => {
  const passwords = newPasswords()
  const hashes = [await passwords.hash('correct horse'), await passwords.hash('correct horse')]
  for (const hash of hashes) expect(hash).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/)
  expect(hashes[0]).not.toBe(hashes[1])
})

test('without a hash the same work is done on a hash of the same cost, and the result is false', async () => {
  const passwords = newPasswords()
  const answer = passwords.verify('correct horse', null, 'stranger')
  await started(1)
  expect(running[0]?.passwordHash).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/)
  running[0]?.finish(true)
  expect(await answer).toBe(false)
  expect(verify).toHaveBeenCalledTimes(1)
})

test('two checks run at once, a hundred wait in order and the next is rejected with a retry', async () => {
  const passwords = newPasswords()
  const answers = Array.from({ length: 102 }, (_, index) => passwords.verify('x', `hash ${index}`, 'stranger'))
  await started(2)
  await settle()
  expect(running).toHaveLength(2)

  const refused = await passwords.verify('x', 'hash', 'stranger').catch((error: unknown) => error)
  expect(refused).toBeInstanceOf(Problem)
  expect(refused).toMatchObject({ statusCode: 503, extras: { headers: { 'retry-after': '5' } } })

  for (let next = 0; next < 102; next += 1) {
    await started(Math.min(102, next + 2))
    running[next]?.finish(true)
  }
  expect(await Promise.all(answers)).toEqual(Array(102).fill(true))
  expect(running.map(({ passwordHash }) => passwordHash)).toEqual(Array.from({ length: 102 }, (_, i) => `hash ${i}`))
})

test('a failed check frees its slot', async () => {
  const passwords = newPasswords()
  verify.mockRejectedValueOnce(new Error('broken hash')).mockRejectedValueOnce(new Error('broken hash'))
  const broken = await Promise.allSettled([
    passwords.verify('x', 'a', 'stranger'),
    passwords.verify('x', 'b', 'stranger'),
  ])
  expect(broken.map(({ status }) => status)).toEqual(['rejected', 'rejected'])
  const answers = [passwords.verify('x', 'c', 'stranger'), passwords.verify('x', 'd', 'stranger')]
  await started(2)
  for (const { finish } of running) finish(true)
  expect(await Promise.all(answers)).toEqual([true, true])
})

test('known callers are served before unknown ones, and have space when unknown ones fill their queue', async () => {
  const passwords = newPasswords()
  const strangers = Array.from({ length: 102 }, (_, index) => passwords.verify('x', `stranger ${index}`, 'stranger'))
  await started(2)
  await expect(async () => passwords.verify('x', 'one too many', 'stranger')).rejects.toBeInstanceOf(Problem)
  const known = passwords.verify('x', 'known', 'known')
  running[0]?.finish(true)
  await started(3)
  expect(running[2]?.passwordHash).toBe('known')
  for (let next = 1; next < 103; next += 1) {
    await started(next + 1)
    running[next]?.finish(true)
  }
  expect(await known).toBe(true)
  expect(await Promise.all(strangers)).toEqual(Array(102).fill(true))
})
