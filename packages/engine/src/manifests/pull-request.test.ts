import { describe, expect, test } from 'vitest'
import { aChange, aWorkload, renderSome, smaller } from './builders.ts'
import type { ReviewFacts } from './pull-request.ts'
import type { Skip } from './skips.ts'

describe('the pull request', () => {
  const fact: ReviewFacts = {
    id: 'rec_1',
    title: 'Ask | for <b>less</b>\nnow',
    workload: 'prod / shop / Deployment web-1',
    ruleId: 'r',
    from: '1',
    to: '250m',
    estimatedUsdPerMonth: 12.345,
    bankableUsdPerMonth: 4.5,
    risk: 'low',
    confidence: 'high',
    backtest: '0 min short, 0 OOM days (now 0 and 0)',
    evidence: '7 days',
  }
  const requestOf = (facts: readonly ReviewFacts[], skipped: readonly Skip[] = []) => {
    const wanted = facts.map(({ id }) => aChange(smaller, aWorkload({ name: id.replace('rec_', 'web-') }), { id }))
    const { pullRequest } = renderSome(wanted, 'yaml', {
      facts: [...facts, left, { ...left, id: 'left_2', title: 'Less of api' }],
      skipped,
    })
    if (!pullRequest) throw new Error('there is something to review')
    return pullRequest
  }

  test('shows the estimate in its title and both savings in its body', () => {
    const { title, body, branch } = requestOf([fact, { ...fact, id: 'rec_2' }])
    expect(title).toBe('Right-size web-1, web-2 (estimated $24.69/month, the bill drops only when nodes are removed)')
    expect(body).toContain('Bankable savings: **$9.00/month**')
    expect(body).toContain('Estimated savings: $24.69/month')
    expect(body).toContain('Overlapping savings count once.')
    expect(branch).toMatch(/^plimsoll\/yaml-[0-9a-f]{8}$/)
  })

  test('has no figure in its title if the estimate is zero', () => {
    expect(requestOf([{ ...fact, estimatedUsdPerMonth: 0 }]).title).toBe('Right-size web-1')
  })

  test('names no nodes in its title for a load balancer, which is billed separately', () => {
    const service = aChange({ 'spec.type': 'ClusterIP' }, aWorkload({ kind: 'Service', apiVersion: 'v1' }))
    const { pullRequest } = renderSome([service], 'json-patch', { facts: [fact] })
    expect(pullRequest?.title).toBe('Change web (estimated $12.35/month)')
  })

  test('says for how many changes the bankable savings are not computed', () => {
    const unknown = requestOf([
      { ...fact, bankableUsdPerMonth: null },
      { ...fact, id: 'rec_2' },
    ])
    expect(unknown.body).toContain('Not computed for 1 of 2.')
    expect(unknown.body).toContain('| not computed | $12.35 |')
  })

  test('has a table with the back-test that hostile names cannot break', () => {
    const row = requestOf([fact])
      .body.split('\n')
      .find((line) => line.includes('less'))
    expect(row).toBe(
      String.raw`| Ask \| for \<b\>less\</b\> now | prod / shop / Deployment web-1 | 1 | 250m | $4.50 | $12.35 | low | high | 0 min short, 0 OOM days (now 0 and 0) | 7 days |`,
    )
  })

  const left: ReviewFacts = { ...fact, id: 'left_1', title: 'Less of web', workload: 'prod / shop / Deployment web' }
  const skip = (
    recommendationId: string,
    message = 'The workload is gone. The next analysis closes the recommendation.',
  ): Skip => ({
    recommendationId,
    code: 'workload_gone',
    message,
    alternativeFormat: null,
  })

  test('lists skipped recommendations grouped by reason', () => {
    const { body } = requestOf([fact], [skip('left_1'), skip('left_2'), skip('rec_unknown', 'There is none.')])
    expect(body).toContain(
      '- Less of web (prod / shop / Deployment web); Less of api (prod / shop / Deployment web): The workload is gone.',
    )
    expect(body).toContain(String.raw`- rec\_unknown: There is none.`)
  })

  test('cuts the tables to the size limit of a pull request and counts the missing rows', () => {
    const count = 500
    const facts = Array.from({ length: count }, (_, index) => ({ ...fact, id: `rec_${index}` }))
    const skipped = Array.from({ length: count }, (_, index) => skip(`gone_${index}`, `Reason ${index}. `.repeat(9)))
    const { body } = requestOf(facts, skipped)
    expect(body.length).toBeLessThan(60_000)
    const rows = body.split('\n').filter((line) => line.includes('| 250m |')).length
    expect(rows).toBeGreaterThan(100)
    expect(body).toContain(`\n\n${count - rows} of ${count} changes are not in this table because a pull request`)
    const reasons = body.split('\n').filter((line) => line.includes('Reason')).length
    expect(reasons).toBeGreaterThan(50)
    expect(body).toContain(`- ${count - reasons} of ${count} are not listed because a pull request`)
    const { body: same } = requestOf(
      [fact],
      skipped.map(({ recommendationId }) => skip(recommendationId)),
    )
    expect(same).toContain('and 490 more: The workload is gone.')
  })

  test('does not call a change of a Service right-sizing', () => {
    const wanted = aChange({ 'spec.type': 'ClusterIP' }, 'not_seen')
    const change = { ...wanted.change, object: { kind: 'Service', namespace: 'shop', name: 'door', container: '' } }
    expect(renderSome([{ ...wanted, change }]).pullRequest?.title).toBe('Change door')
  })

  test('is null if every recommendation was skipped', () => {
    const { skipped, pullRequest } = renderSome([aChange(smaller, 'gone')])
    expect(skipped).toMatchObject([{ code: 'workload_gone' }])
    expect(pullRequest).toBeNull()
  })
})
