import type { Observation } from '@plimsoll/engine/rules'
import { beforeEach, describe, expect, test } from 'vitest'
import { aFinding, analysed, idsOf } from '../../test/findings.ts'
import { aCluster, aPerson } from '../../test/people.ts'
import { send, useTestApp } from '../../test/test-app.ts'
import { writePast, type HourOfPast } from '../../test/used-past.ts'
import { verifyApplied, type Seen } from './verify-applied.ts'

const t = useTestApp()
const hourMs = 3_600_000

let clusterId: string
beforeEach(async () => {
  clusterId = (await aCluster(t)).clusterId
})

const seenAs = (replicas: number): Observation => ({
  kind: 'seen',
  cpuMillicores: 500,
  memoryKib: 512 * 1024,
  replicas,
  price: null,
})

async function apply(finding = aFinding()): Promise<void> {
  await analysed(t, clusterId, { findings: [finding] })
  const { bearer } = await aPerson(t, 'editor')
  const url = `/api/v1/recommendations/${(await idsOf(t, clusterId)).web}/apply`
  expect((await send(t, { method: 'POST', url, headers: bearer })).statusCode).toBe(200)
}

const look = (found: Partial<Seen> = {}) =>
  t.db
    .transaction()
    .execute((tx) =>
      verifyApplied(
        tx,
        clusterId,
        { observe: () => seenAs(1), isFound: () => false, isUnjudged: () => false, ...found },
        t.clock.now,
      ),
    )

const stored = () =>
  t.db.selectFrom('recommendation').selectAll().where('cluster_id', '=', clusterId).executeTakeFirstOrThrow()

describe('an applied change without a container', () => {
  const { change } = aFinding()

  test('is not verified by a rule that could not run, and is by one that ran and found nothing', async () => {
    await apply(aFinding({ change: { ...change, action: 'set_labels' } }))
    t.clock.advance(hourMs)
    await look({ isUnjudged: () => true })
    expect((await stored()).verification).toBe('awaiting')
    await look()
    expect((await stored()).verification).toBe('verified')
  })

  test('is not verified while no running pod could show a limit', async () => {
    await apply(aFinding({ change: { ...change, action: 'set_limits' } }))
    t.clock.advance(hourMs)
    await look({ observe: () => seenAs(0) })
    expect((await stored()).verification).toBe('awaiting')
    await look()
    expect((await stored()).verification).toBe('verified')
  })
})

describe('a deleted volume', () => {
  const deleted = (outlives: boolean) => {
    const { change } = aFinding()
    return aFinding({ change: { ...change, action: 'delete' }, ...(outlives ? { outlivesObject: true as const } : {}) })
  }
  const gone = { observe: () => ({ kind: 'gone' as const }) }

  test('is credited if its disk is deleted with it', async () => {
    await apply(deleted(false))
    t.clock.advance(hourMs)
    await look(gone)
    const { verification, verification_detail: detail } = await stored()
    expect([verification, detail?.observed_savings]).toEqual(['verified', 10])
    expect(detail?.realised_savings).toBeGreaterThan(0)
  })

  test('is not credited if its disk may remain at the provider, and says so', async () => {
    await apply(deleted(true))
    t.clock.advance(hourMs)
    await look()
    expect((await stored()).verification).toBe('awaiting')
    await look(gone)
    expect(await stored()).toMatchObject({
      verification: 'partial',
      verification_detail: {
        observed_savings: 0,
        realised_savings: 0,
        message: expect.stringContaining('cannot see the disk') as string,
      },
    })
  })
})

describe('a job with lower requests', () => {
  const price = { cpuUsdPerMillicoreMonth: 0.02, memoryUsdPerKibMonth: 0, rows: [] }
  const atRest = (meanReplicas: number): Observation => ({ ...seenAs(0), price, meanReplicas }) as Observation

  test('is credited between its runs for the time that its pods run', async () => {
    await apply()
    t.clock.advance(hourMs)
    await look({ observe: () => atRest(0.25) })
    const { verification, verification_detail: detail } = await stored()
    // 500 millicores less, at $0.02 each a month, for a quarter of the time.
    expect([verification, detail?.observed_savings]).toEqual(['verified', 2.5])
    expect(detail?.realised_savings).toBeGreaterThan(0)
  })
})

describe('the time of observation', () => {
  test('is the first analysis that observed the change', async () => {
    await apply()
    t.clock.advance(hourMs)
    await look()
    const seenAt = t.clock.now.toISOString()
    t.clock.advance(hourMs)
    await look()
    expect(await stored()).toMatchObject({ verification: 'verified', verification_detail: { observed_at: seenAt } })
  })

  test.each(['verified', 'partial', 'regressed'] as const)(
    'is the time of applying, for one %s before that time was stored',
    async (verification) => {
      await apply()
      await t.db
        .updateTable('recommendation')
        .set({ verification, verification_detail: null })
        .where('cluster_id', '=', clusterId)
        .execute()
      const { done_at: doneAt } = await stored()
      t.clock.advance(30 * 24 * hourMs)
      await look()
      expect((await stored()).verification_detail?.observed_at).toBe(doneAt?.toISOString())
    },
  )
})

/** `applied-changes.test.ts` does the same with OOM kills, from the agent to the next analysis. */
describe('lower requests that the cluster has shown for twelve hours', () => {
  /** The two pods run like this, by hours after the change. */
  async function verificationAfter(pods: (hoursAfterChange: number) => Partial<HourOfPast>) {
    await apply()
    t.clock.advance(48 * hourMs)
    await look()
    t.clock.advance(12 * hourMs)
    await writePast(t, clusterId, {
      key: ['shop', 'Deployment', 'web', 'app'],
      until: t.clock.now.getTime() / 1000,
      past: { days: 10, millicores: 100, mib: 300, hour: (ago) => pods(11 - ago) },
    })
    await look()
    return (await stored()).verification
  }

  test('are verified if no container fails', async () => {
    expect(await verificationAfter(() => ({}))).toBe('verified')
  })

  test('have regressed if containers restart more often', async () => {
    expect(await verificationAfter((hours) => (hours > 0 ? { restarts: 1 } : {}))).toBe('regressed')
  })

  test('have regressed if containers are throttled more often', async () => {
    expect(await verificationAfter((hours) => ({ throttled: hours > 0 ? 2500 : 1000 }))).toBe('regressed')
  })

  test('have not regressed if throttling is reported for the first time', async () => {
    expect(await verificationAfter((hours) => (hours > 0 ? { throttled: 2500 } : {}))).toBe('verified')
  })

  test('have not regressed by failures between the report of the user and the change', async () => {
    const before = (hours: number) => (hours < 0 && hours > -24 ? { oomKills: 1, restarts: 1 } : {})
    expect(await verificationAfter(before)).toBe('verified')
  })
})
