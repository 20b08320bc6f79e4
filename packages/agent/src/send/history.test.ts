import { expect, test } from 'vitest'
import { scriptedObserver, START } from '../../test/scripted-observer.ts'
import { useDirectory } from '../../test/use-directory.ts'
import { decodeBatch } from '../shape/encode.ts'
import { HourUsage } from '../shape/hour-usage.ts'
import type { HistoryPart } from './history-part.ts'
import { History } from './history.ts'
import { Outbox } from './outbox.ts'

const directory = useDirectory()
const now = START / 3600

/** The history of two pods over the last two days, two hours per part. */
function aHistorySource() {
  const requests: { from: number; to: number }[] = []
  const observer = scriptedObserver()
  const { pods, ...others } = observer.living(START)
  async function* read(hours: { from: number; to: number }): AsyncGenerator<HistoryPart> {
    requests.push(hours)
    for (let hour = hours.from; hour < hours.to; hour += 2) {
      const usageHours = [hour, hour + 1].map((each) => {
        const usage = new HourUsage(each, 60)
        for (const node of observer.takeMinute(each * 60).usage)
          usage.addMinute(node, (ref) => pods.find((pod) => pod.ref === ref))
        return usage
      })
      // The first day has no data.
      const isKnown = hour >= now - 24
      yield { through: hour + 2, objects: { ...others, pods, ends: [] }, hours: isKnown ? usageHours : [] }
    }
  }
  return { requests, read }
}

async function open(
  read: ReturnType<typeof aHistorySource>['read'],
  epoch: string,
  onLog: (message: string) => void = () => undefined,
) {
  const outbox = await Outbox.open({ directory: directory.path })
  let ready: () => void = () => undefined
  const history = new History({
    source: { read },
    outbox,
    clusterUid: 'uid',
    agent: () => scriptedObserver().facts(),
    newEpochId: () => epoch,
    now: () => START,
    daysBack: 2,
    onReady: () => ready(),
    log: (_level, message) => {
      onLog(message)
      ready()
    },
  })
  /** Undefined: the history is complete. */
  const next = async () => {
    const isReady = new Promise<void>((resolve) => (ready = resolve))
    const first = await history.next()
    if (first) return first
    await isReady
    return history.next()
  }
  return { outbox, history, next }
}

test('history is sent once and in order, and continues after a restart', async () => {
  const { requests, read } = aHistorySource()
  const first = await open(read, 'first')
  const hours: number[] = []
  for (let count = 0; count < 4; count += 1) {
    const pending = await first.next()
    hours.push(
      ...(decodeBatch(pending?.encoded ?? { headers: {} as never, body: Buffer.alloc(0) }).batch.hours?.hour ?? []),
    )
    expect(pending?.encoded.headers).toMatchObject({ 'plimsoll-kind': 'backfill', 'plimsoll-seq': String(count + 1) })
    await pending?.done()
  }
  await first.next()
  await first.outbox.close()

  const again = await open(read, 'again')
  for (let pending = await again.next(); pending; pending = await again.next()) {
    hours.push(...(decodeBatch(pending.encoded).batch.hours?.hour ?? []))
    await pending.done()
  }
  expect(hours).toEqual(Array.from({ length: 24 }, (_each, index) => now - 24 + index))
  expect(requests).toEqual([
    { from: now - 48, to: now },
    { from: now - 16, to: now },
  ])
  await again.outbox.close()
})

test('a part that is too large is split, down to one row each, and no row is lost', async () => {
  const { next, outbox } = await open(aHistorySource().read, 'epoch')
  const rows = { nodes: 0, usage: 0, pods: 0, namespaces: 0, requests: 0 }
  const through: (number | undefined)[] = []
  // Two hours of one node and one container, with a node, a namespace and two pods: eight rows.
  for (let pending = await next(); pending && rows.nodes + rows.usage < 4; pending = await next()) {
    const { batch } = decodeBatch(pending.encoded)
    const counts = [batch.hours?.hour, batch.usage?.hour, batch.pods.ref, batch.nodes.ref, batch.namespaces?.ref]
    if (counts.reduce((sum, rows) => sum + (rows?.length ?? 0), 0) > 1) {
      await pending.tooLarge()
      continue
    }
    rows.requests += 1
    rows.nodes += batch.hours?.hour.length ?? 0
    rows.usage += batch.usage?.hour.length ?? 0
    rows.pods += batch.pods.ref.length
    rows.namespaces += batch.namespaces?.ref.length ?? 0
    await pending.done()
    through.push(outbox.history?.fromHour)
  }
  expect(rows).toEqual({ nodes: 2, usage: 2, pods: 2, namespaces: 1, requests: 8 })
  // An agent that stops in between repeats these two hours.
  expect(through).toEqual([...Array.from({ length: 7 }, () => now - 24), now - 22])
  await outbox.close()
})

test('a single row that is too large is dropped and reported, and the rest continues', async () => {
  const messages: string[] = []
  const { next, outbox } = await open(aHistorySource().read, 'epoch', (message) => messages.push(message))
  let cuts = 0
  for (let pending = await next(); pending && messages.length === 0; pending = await next()) {
    cuts += 1
    await pending.tooLarge()
  }
  expect(cuts).toBeGreaterThan(2)
  expect(messages).toEqual(['a row of the usage history is too large for the server; skipping it'])
  expect(await next()).toBeDefined()
  await outbox.close()
})

test('a part that is too large is sent in two halves, and the first has the objects of the second', async () => {
  const { next, outbox } = await open(aHistorySource().read, 'epoch')
  await (await next())?.tooLarge()
  const sizes: (number | undefined)[] = []
  for (let count = 0; count < 3; count += 1) {
    const pending = await next()
    const batch = pending && decodeBatch(pending.encoded).batch
    sizes.push(batch?.hours?.hour.length, batch?.pods.ref.length)
    await pending?.done()
  }
  expect(sizes).toEqual([1, 2, 1, 0, 2, 2])
  await outbox.close()
})
