import { expect, test } from 'vitest'
import { awaitThat } from '../../test/await-that.ts'
import { failingDisk } from '../../test/failing-disk.ts'
import { fetchOf, Recorder } from '../../test/recorder.ts'
import { scriptedObserver, START } from '../../test/scripted-observer.ts'
import { useDirectory } from '../../test/use-directory.ts'
import { Agent } from './agent.ts'
import { ServerClock } from './server-clock.ts'

const directory = useDirectory()
const speed = 2000

test('a disk failure during sending is reported, and the agent continues', async () => {
  const recorder = new Recorder()
  const { files } = failingDisk()
  let failures = 2
  const rm: typeof files.rm = async (...call) => {
    if ((failures -= 1) >= 0) throw new Error('EIO: made up')
    await files.rm(...call)
  }
  const errors: string[] = []
  const began = performance.now()
  const monotonic = () => ((performance.now() - began) / 1000) * speed
  const clock = new ServerClock(monotonic, START)
  recorder.now = () => clock.now()
  const agent = new Agent({
    url: 'http://server',
    readToken: async () => 'pla_test',
    monotonic,
    random: () => 0.5,
    fetch: fetchOf((headers, body) => recorder.receive(headers, body)),
    log: (level, message) => void (level === 'error' && errors.push(message)),
    observer: scriptedObserver(),
    clock,
    outbox: { directory: directory.path, segmentBytes: 1, files: { ...files, rm } },
    newEpochId: () => 'epoch',
    speed,
  })
  const stop = new AbortController()
  const running = agent.run(stop.signal)
  await awaitThat('it has failed and sent', () => failures < 0 && recorder.minutes().size > 5)
  stop.abort()
  await running
  expect(errors).toContain('cannot send data from the disk buffer')
  expect(recorder.gaps()).toEqual([])
})

test('an agent that stops right after its start has written its snapshot', async () => {
  const recorder = new Recorder()
  const clock = new ServerClock(() => performance.now() / 1000, START)
  recorder.now = () => clock.now()
  const agent = new Agent({
    url: 'http://server',
    readToken: async () => 'pla_test',
    monotonic: () => performance.now() / 1000,
    random: () => 0.5,
    fetch: fetchOf((headers, body) => recorder.receive(headers, body)),
    log: () => undefined,
    observer: scriptedObserver(),
    clock,
    outbox: { directory: directory.path },
    newEpochId: () => 'epoch',
  })
  const stop = new AbortController()
  const running = agent.run(stop.signal)
  await agent.begun
  stop.abort()
  await running
  // The snapshot, and the open minute.
  expect(recorder.kept.size).toBe(2)
  expect(agent.sender?.connection.kind).toBe('connected')
})
