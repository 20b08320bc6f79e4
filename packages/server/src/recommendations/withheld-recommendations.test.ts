import type { RuleWithheld } from '@plimsoll/engine/rules'
import { describe, expect, test } from 'vitest'
import { aFinding } from '../../test/findings.ts'
import { seenAs, useStoredFindings, web } from '../../test/stored-findings.ts'
import { listHistory } from './queries/recommendation-history.ts'

const { t, store, analyse, find, stored, statuses, only, shown, act } = useStoredFindings()
const dayMs = 86_400_000

describe('an open recommendation whose rule returns', () => {
  const withheldAs = (reason: RuleWithheld['reason']) => {
    const { ruleId, target } = aFinding()
    return [{ kind: 'withheld' as const, ruleId, target, reason, detail: `It is ${reason}.`, unlock: '' }]
  }

  test.each(['saving_too_small', 'excluded', 'ignored', 'system_namespace', 'managed_by', 'autoscaled'] as const)(
    '%s is closed by that analysis with the reason',
    async (reason) => {
      await find(aFinding())
      await analyse({ withheld: withheldAs(reason) })
      expect(await statuses()).toEqual(['expired'])
      const entries = await listHistory(t.db, store.clusterId, (await only()).recommendation_id)
      expect(entries.at(-1)).toMatchObject({ action: 'expired', reason: `It is ${reason}.` })
    },
  )

  test('a deletable workload is superseded, so that both never save more than its cost', async () => {
    await find(aFinding())
    const target = { ...aFinding().target, container: '' }
    const goes = { ...aFinding({ ruleId: 'workload_abandoned', estimatedUsdPerMonth: 11 }), target }
    await analyse({ findings: [goes], withheld: withheldAs('idle_workload') })
    const open = (await stored()).filter(({ status }) => status === 'pending')
    expect(open).toMatchObject([{ rule_id: 'workload_abandoned', estimated_savings: '11.000000' }])
    expect((await statuses()).sort()).toEqual(['pending', 'superseded'])
  })

  test('a deletable workload stays approved if it was approved', async () => {
    await find(aFinding())
    await act('approve')
    await analyse({ withheld: withheldAs('idle_workload') })
    expect(await only()).toMatchObject({ status: 'approved', drift: { kind: 'no_longer_found' } })
  })

  test('an exclusion does not count as applied, and is closed even without a running pod', async () => {
    const { change } = aFinding()
    await find(aFinding({ change: { ...change, action: 'set_labels' } }))
    const observed = { [web]: { ...seenAs(1000, 1024), replicas: 0 } }
    await analyse({ withheld: withheldAs('ignored'), observed })
    expect(await only()).toMatchObject({ status: 'expired', verification: null })
  })

  test.each(['too_little_history', 'cannot_move', 'too_spiky', 'restarting'] as const)(
    '%s stays for a while, and is the same when it is found again',
    async (reason) => {
      await find(aFinding())
      const { recommendation_id: id } = await only()
      await analyse({ withheld: withheldAs(reason) })
      expect(await only()).toMatchObject({ status: 'pending', missing_since: t.clock.now })
      t.clock.advance(3_600_000)
      await find(aFinding())
      expect(await only()).toMatchObject({ recommendation_id: id, status: 'pending', missing_since: null })
      await analyse({ withheld: withheldAs(reason) })
      t.clock.advance(15 * dayMs)
      await analyse({ withheld: withheldAs(reason) })
      expect(await statuses()).toEqual(['expired'])
    },
  )

  test.each(['pending', 'approved'] as const)(
    'cannot_move has no bankable savings meanwhile and is not severe, %s or not, and says so',
    async (status) => {
      const bankable = async () => {
        const { bankable_savings: usd, bankable_because: because, severity, evidence } = await shown()
        return [usd, because, evidence?.bankable_because, severity, (await only()).severity_rank]
      }
      const found = aFinding({ bankableBecause: 'Half of it stays.' })
      const nothing = expect.stringMatching(
        /^In the last analysis, none of these nodes could be drained, so the bill does not drop now/,
      ) as string
      await find(found)
      if (status === 'approved') await act('approve')
      await analyse({ withheld: withheldAs('cannot_move') })
      expect(await only()).toMatchObject({ status, estimated_savings: '10.000000' })
      expect(await bankable()).toEqual([0, nothing, nothing, 'low', 1])
      await analyse({ withheld: withheldAs('cannot_move') })
      expect(await bankable()).toEqual([0, nothing, nothing, 'low', 1])
      await find(found)
      expect(await bankable()).toEqual([4, 'Half of it stays.', 'Half of it stays.', 'medium', 2])
    },
  )

  describe('no finding, or a withheld one, has the severity of its bankable savings', () => {
    const creditOf = (usd: number) => ({ credits: new Map([[`container_overprovisioned ${web}`, usd]]) })
    const severityOf = async () => {
      const { bankable_savings: usd, severity, severity_rank: rank } = await only()
      return [Number(usd), severity, rank]
    }

    test('less, once an approved one is no longer found', async () => {
      await find(aFinding({ severity: 'high' }))
      await act('approve')
      await analyse({ ...creditOf(4), clusterUsdPerMonth: 100 })
      expect(await severityOf()).toEqual([4, 'high', 3])
      await analyse({ ...creditOf(0), clusterUsdPerMonth: 100 })
      expect(await only()).toMatchObject({ status: 'approved', drift: { kind: 'no_longer_found' } })
      expect(await severityOf()).toEqual([0, 'low', 1])
    })

    test('more, once its nodes can be drained again', async () => {
      await find(aFinding())
      await analyse({ withheld: withheldAs('cannot_move'), clusterUsdPerMonth: 100 })
      expect(await severityOf()).toEqual([0, 'low', 1])
      const withheld = withheldAs('too_little_history')
      await analyse({ withheld, ...creditOf(4), clusterUsdPerMonth: 100 })
      expect(await severityOf()).toEqual([4, 'high', 3])
    })

    test('critical at any cost, if something is broken', async () => {
      const finding = aFinding({
        severity: 'critical',
        isUrgent: true,
        estimatedUsdPerMonth: -2,
        bankableUsdPerMonth: 0,
      })
      await find(finding)
      await act('approve')
      await analyse({ ...creditOf(-1), clusterUsdPerMonth: 100 })
      expect(await severityOf()).toEqual([-1, 'critical', 4])
    })
  })

  test('too_little_history does not change bankable savings, unless the nodes could not be drained: then they are unknown', async () => {
    await find(aFinding())
    await analyse({ withheld: withheldAs('too_little_history') })
    expect(await only()).toMatchObject({ bankable_savings: '4.000000' })
    await analyse({ withheld: withheldAs('cannot_move') })
    await analyse({ withheld: withheldAs('too_little_history') })
    const { bankable_savings: usd, content, severity } = await only()
    expect([usd, content.bankableBecause, severity]).toEqual([null, undefined, 'low'])
  })

  test('too_little_history changes no figure of an approved recommendation and adds no note', async () => {
    await find(aFinding())
    await act('approve')
    await analyse({ withheld: withheldAs('cannot_move') })
    await analyse({ withheld: withheldAs('too_little_history') })
    const { bankable_savings: bankable, estimated_savings: estimated, drift } = await only()
    expect([Number(bankable), estimated, drift]).toEqual([0, '10.000000', null])
  })

  test('an exclusion stays approved if it was approved, because a user decided both', async () => {
    await find(aFinding())
    await act('approve')
    await analyse({ withheld: withheldAs('excluded') })
    expect(await only()).toMatchObject({ status: 'approved', drift: { kind: 'no_longer_found' } })
  })
})
