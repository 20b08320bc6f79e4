import { expect, test } from 'vitest'
import { rounds } from '../../../../test/rounds.ts'
import { fetchOf, Recorder } from '../../test/recorder.ts'
import { START } from '../../test/scripted-observer.ts'
import { useDirectory } from '../../test/use-directory.ts'
import { openVirtualAgent } from '../../test/virtual-agent.ts'

const directory = useDirectory()
const startMinute = START / 60
const hoursAway = rounds({ short: 6, full: 24 })

test('after hours without a server, live data goes first and the backlog follows within 20 requests per minute', async () => {
  const recorder = new Recorder()
  let isAway = false
  const agent = await openVirtualAgent({
    directory: directory.path,
    fetch: fetchOf((headers, body) => {
      if (isAway) throw new TypeError('fetch failed')
      return recorder.receive(headers, body)
    }),
  })
  recorder.now = agent.now
  await agent.reporter.start()
  await agent.pass(600)
  isAway = true
  await agent.pass(hoursAway * 3600)
  const { live, backlog } = agent.outbox.pending()
  expect(live + backlog).toBeGreaterThanOrEqual(hoursAway * 60)

  isAway = false
  const backAt = agent.requests.length
  // Until the next retry, and until its minute has ended.
  await agent.pass(180)
  const liveMinutes: boolean[] = []
  let minutes = 0
  while (agent.outbox.pending().backlog > 0) {
    const minute = Math.floor(agent.now() / 60) - 1
    await agent.pass(60)
    liveMinutes.push(recorder.minutes().has(minute))
    minutes += 1
  }
  // Five minutes per batch, sixteen batches per minute.
  expect(minutes).toBeLessThanOrEqual((hoursAway * 60) / 5 / 16 + 4)
  expect(liveMinutes).toEqual(liveMinutes.map(() => true))

  await agent.pass(120)
  const ended = Math.floor(agent.now() / 60)
  // The last minute has ended but may not be sent yet.
  const expected = Array.from({ length: ended - startMinute - 1 }, (_each, index) => [startMinute + index, 1])
  expect([...recorder.minutes()].sort(([a], [b]) => a - b).slice(0, expected.length)).toEqual(expected)
  expect(recorder.gaps()).toEqual([])
  const sent = agent.requests.slice(backAt)
  const most = Math.max(...sent.map((from) => sent.filter((at) => at >= from && at < from + 60).length))
  expect(most).toBeLessThanOrEqual(20)
  expect(most).toBeGreaterThan(15)
})
