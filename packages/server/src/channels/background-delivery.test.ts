import { expect, test } from 'vitest'
import { silent } from '../../test/test-database.ts'
import { BackgroundDelivery } from './background-delivery.ts'

const open = () => new BackgroundDelivery({ log: silent, now: () => new Date(0) })

test('a channel whose loop runs is checked again, and other channels do not wait', async () => {
  const delivery = open()
  const ends: (() => void)[] = []
  const slow = () => new Promise<undefined>((done) => ends.push(() => done(undefined)))
  let quick = 0
  await delivery.start('slow', slow)
  await delivery.start('slow', slow)
  await delivery.start('slow', slow)
  await delivery.start('quick', async () => void (quick += 1))
  expect(quick).toBe(1)
  expect(ends).toHaveLength(1)
  ends[0]?.()
  await new Promise(setImmediate)
  expect(ends).toHaveLength(2)
  ends[1]?.()
  await delivery.close()
  expect(ends).toHaveLength(2)
})

test('closing waits for the current tries and starts no others', async () => {
  const delivery = open()
  let end: (() => void) | undefined
  let isStopping: (() => boolean) | undefined
  await delivery.start('one', (stopping) => {
    isStopping = stopping
    return new Promise((done) => (end = () => done(new Date(0))))
  })
  let isClosed = false
  const closing = delivery.close().then(() => (isClosed = true))
  expect(isStopping?.()).toBe(true)
  await new Promise(setImmediate)
  expect(isClosed).toBe(false)
  end?.()
  await closing
  let isStarted = false
  await delivery.start('two', async () => void (isStarted = true))
  expect(isStarted).toBe(false)
})

test('a failure of the database is logged, and the channel can be started again', async () => {
  const delivery = open()
  let calls = 0
  const failing = async () => {
    calls += 1
    throw new Error('no database')
  }
  await delivery.start('one', failing)
  await new Promise(setImmediate)
  await delivery.start('one', failing)
  await delivery.close()
  expect(calls).toBe(2)
})
