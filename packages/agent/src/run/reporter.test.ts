import { expect, test, vi } from 'vitest'
import { fetchOf, Recorder } from '../../test/recorder.ts'
import { START } from '../../test/scripted-observer.ts'
import { useDirectory } from '../../test/use-directory.ts'
import { openVirtualAgent } from '../../test/virtual-agent.ts'

const directory = useDirectory()

async function started(startAt = START) {
  const recorder = new Recorder()
  const fetch = fetchOf((headers, body) => recorder.receive(headers, body))
  const agent = await openVirtualAgent({ directory: directory.path, fetch, startAt })
  recorder.now = agent.now
  await agent.reporter.start()
  const kept = () => [...recorder.kept.values()]
  const epochs = () => [...new Set(kept().map(({ epoch }) => epoch))]
  return { ...agent, recorder, kept, epochs }
}

test('writes a snapshot at the start, then one batch per minute by the server clock', async () => {
  const { pass, kept } = await started(START + 25)
  await pass(130)
  expect(kept().map(({ part, minutes }) => ({ part, minutes }))).toEqual([
    { part: '1/1', minutes: [] },
    { part: undefined, minutes: [START / 60] },
    { part: undefined, minutes: [START / 60 + 1] },
  ])
})

test('writes a new snapshot every hour, and starts a new epoch every day', async () => {
  const { pass, recorder, kept, epochs } = await started()
  await pass(3700)
  expect(kept().filter(({ part }) => part)).toHaveLength(2)
  expect(epochs()).toHaveLength(1)
  // Fewer batches for the rest of the day.
  recorder.directives = { interval_seconds: 600 }
  await pass(23 * 3600)
  expect(epochs()).toHaveLength(2)
  expect(kept().filter(({ part }) => part)).toHaveLength(25)
})

test('a requested snapshot is written with the next minute, and requested only once while it is pending', async () => {
  const { pass, recorder, kept } = await started()
  await pass(70)
  recorder.directives = { sync_requested: true }
  await pass(60)
  expect(kept().filter(({ part }) => part)).toHaveLength(1)
  await pass(60)
  recorder.directives = {}
  await pass(180)
  expect(kept().filter(({ part }) => part)).toHaveLength(2)
})

test('after a permission is granted again, the next minute has a snapshot', async () => {
  const { pass, kept, observer } = await started()
  const snapshots = () => kept().filter(({ part }) => part).length
  const conditions = [{ kind: 'persistentvolumes', status: 'forbidden' as const, reason: 'Forbidden', message: '' }]
  const facts = observer.facts()
  observer.facts = () => ({ ...facts, conditions })
  await pass(3700)
  expect(snapshots()).toBe(2)
  observer.facts = () => facts
  await pass(120)
  expect(snapshots()).toBe(3)
  await pass(600)
  expect(snapshots()).toBe(3)
})

test('with a longer report interval, one batch has several minutes', async () => {
  const { pass, recorder, kept } = await started()
  recorder.directives = { interval_seconds: 180 }
  await pass(61)
  await pass(60 * 6)
  expect(kept().map(({ minutes }) => minutes.length)).toEqual([0, 3, 3])
})

test('the first response reveals a clock that is minutes wrong, and a new epoch begins', async () => {
  const { pass, recorder, clock, epochs, kept } = await started()
  await pass(70)
  const wrong = clock.now()
  recorder.now = () => clock.now() + 600
  await pass(60)
  recorder.now = () => clock.now()
  await pass(120)
  expect(clock.now() - wrong).toBeCloseTo(60 + 120 + 600, 0)
  expect(epochs()).toHaveLength(2)
  expect(kept().filter(({ part }) => part)).toHaveLength(2)
  expect(recorder.gaps()).toEqual([])
})

test('a small clock difference stays for the whole epoch', async () => {
  const { pass, recorder, clock, epochs } = await started()
  recorder.now = () => clock.now() + 20
  await pass(600)
  expect(epochs()).toHaveLength(1)
  expect(clock.now()).toBe(START + 600)
})

test('when stopped, it writes the open minute so far', async () => {
  const { pass, reporter, sender, kept } = await started()
  await pass(90)
  await reporter.flush()
  await sender.step()
  expect(kept().at(-1)).toMatchObject({ minutes: [START / 60 + 1] })
})

test('when stopped just after the end of a minute, it writes that minute too', async () => {
  const { pass, advance, reporter, sender, kept } = await started()
  await pass(110)
  advance(10.5)
  await reporter.flush()
  await sender.step()
  expect(kept().at(-1)).toMatchObject({ minutes: [START / 60 + 1, START / 60 + 2] })
})

test('if the first snapshot of an epoch was not written, a new epoch begins before any minute', async () => {
  const recorder = new Recorder()
  const fetch = fetchOf((headers, body) => recorder.receive(headers, body))
  const agent = await openVirtualAgent({ directory: directory.path, fetch })
  recorder.now = agent.now
  vi.spyOn(agent.outbox, 'append').mockRejectedValueOnce(new Error('EIO: made up'))
  await agent.reporter.start()
  expect(agent.reporter.isFailing).toBe(true)
  await agent.pass(130)
  expect([...recorder.kept.values()].map(({ part, minutes }) => part ?? minutes)).toEqual([
    '1/1',
    [START / 60],
    [START / 60 + 1],
  ])
  expect(new Set([...recorder.kept.values()].map(({ epoch }) => epoch)).size).toBe(1)
})
