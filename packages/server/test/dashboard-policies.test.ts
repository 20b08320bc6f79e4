import { beforeAll, describe, expect, test } from 'vitest'
import { builtWeb, expectAccessible, hasBrowser, slowly, useDashboard } from './browser.ts'
import { aCluster, aPerson } from './people.ts'
import { send, useTestApp } from './test-app.ts'

/** Without a Chromium on this machine these tests are skipped. */
describe.skipIf(!hasBrowser)('policies in the dashboard', () => {
  const t = useTestApp({ webDirectory: builtWeb })
  const dashboard = useDashboard(t)
  let clusterId: string

  beforeAll(async () => {
    clusterId = (await aCluster(t)).clusterId
  })

  test('a second click before the first response does not conflict with itself', async () => {
    const page = await dashboard.signedIn(await aPerson(t))
    await page.goto(`${dashboard.url}/settings/policies?cluster=${clusterId}`)
    const dial = page.getByRole('group', { name: 'Sizing policy' })
    await dial.waitFor()
    await slowly(page, '**/api/v1/policies')
    await dial.getByRole('button', { name: 'safe' }).click()
    await dial.getByRole('button', { name: 'thrifty' }).click()
    await dial.locator('button[aria-pressed=true]', { hasText: 'thrifty' }).waitFor()
    const policy = () =>
      t.db.selectFrom('recommendation_policy').select('settings').where('cluster_id', '=', clusterId).execute()
    await expect.poll(policy).toEqual([{ settings: { dial: 'thrifty' } }])
    expect(await page.getByText('Another user changed these values').count()).toBe(0)
  })

  test('a second click does not overwrite a concurrent change of another user', async () => {
    const page = await dashboard.signedIn(await aPerson(t))
    await page.goto(`${dashboard.url}/settings/policies?cluster=${clusterId}`)
    const dial = page.getByRole('group', { name: 'Sizing policy' })
    await dial.waitFor()
    const { bearer: headers } = await aPerson(t)
    const list = await send(t, { url: `/api/v1/policies?cluster_id=${clusterId}`, headers })
    const { etag } = list.json<{ policies: { etag: string }[] }>().policies[0] ?? { etag: '"0-"' }
    const body = { cluster_id: clusterId, settings: { dial: 'balanced' } }
    const theirs = await send(t, { method: 'PUT', url: '/api/v1/policies', headers: { ...headers, 'if-match': etag }, body }) // prettier-ignore
    expect(theirs.statusCode).toBe(200)
    await slowly(page, '**/api/v1/policies')
    await dial.getByRole('button', { name: 'safe' }).click()
    await dial.getByRole('button', { name: 'thrifty' }).click()
    await page.getByText('Another user changed these values').waitFor()
    await page.getByText('The last change was not saved, because an earlier change failed.').waitFor()
    await dial.locator('button[aria-pressed=true]', { hasText: 'balanced' }).waitFor()
    // The browser logs the rejection of the first click only.
    expect(dashboard.complaints.filter((text) => text.includes('412'))).toHaveLength(1)
    dashboard.allowComplaints(/412/)
  })

  const policiesOf = async () => {
    const rows = await t.db.selectFrom('recommendation_policy').select(['namespace', 'settings']).execute()
    return Object.fromEntries(rows.map(({ namespace, settings }) => [namespace, settings]))
  }

  test('a policy is set field by field, errors are shown at their field, and other fields stay', async () => {
    const page = await dashboard.signedIn(await aPerson(t))
    const { bearer: headers } = await aPerson(t)
    const body = { cluster_id: clusterId, settings: { dial: 'safe' } }
    await send(t, { method: 'PUT', url: '/api/v1/policies', headers, body })
    await page.goto(`${dashboard.url}/settings/policies?cluster=${clusterId}`)
    const save = page.getByRole('button', { name: 'Save' })
    await page.getByRole('button', { name: 'Edit' }).click()
    await page.getByRole('textbox', { name: 'Minimum usage history' }).fill('99')
    await page.getByRole('textbox', { name: 'Owner labels' }).fill('team, squad')
    await save.click()
    await page.getByText('must be 35 or less, got 99').waitFor()
    expect(await page.getByRole('alert').count()).toBe(1)
    await page.getByRole('textbox', { name: 'Minimum usage history' }).fill('3')
    const theirs = { cluster_id: clusterId, settings: { dial: 'safe', min_savings: 4, min_history_days: 9 } }
    await send(t, { method: 'PUT', url: '/api/v1/policies', headers, body: theirs })
    await save.click()
    await page.getByText('Another user changed these values').waitFor()
    await page.getByText('currently 9 days').waitFor()
    expect(await page.getByRole('textbox', { name: 'Minimum savings' }).inputValue()).toBe('4')
    await save.click()
    await page.getByText('Saved. Applies from the next analysis.').waitFor()
    const set = { dial: 'safe', min_savings: 4, min_history_days: 3, owner_labels: ['team', 'squad'] }
    expect(await policiesOf()).toEqual({ '': set })
    await page.getByRole('button', { name: 'Edit' }).click()
    await page.getByRole('button', { name: /^Reset to default: Minimum savings/ }).click()
    await page.getByRole('button', { name: /^Reset to default: Owner/ }).click()
    await save.click()
    await expect.poll(policiesOf).toEqual({ '': { dial: 'safe', min_history_days: 3 } })
    dashboard.allowComplaints(/412|422/)
  })

  test('a namespace gets its own policy, and follows the cluster again', async () => {
    const page = await dashboard.signedIn(await aPerson(t))
    const body = { cluster_id: clusterId, settings: { min_history_days: 3 } }
    await send(t, { method: 'PUT', url: '/api/v1/policies', headers: (await aPerson(t)).bearer, body })
    await page.goto(`${dashboard.url}/settings/policies?cluster=${clusterId}`)
    await page.getByRole('button', { name: 'Add namespace policy' }).click()
    await page.getByLabel('Namespace').fill('shop')
    await page.getByRole('button', { name: 'Add policy' }).click()
    const advice = page.getByRole('group', { name: 'Recommendations for this scope' })
    await advice.getByRole('button', { name: 'off' }).click()
    await page.getByRole('textbox', { name: 'Minimum usage coverage' }).fill('55')
    await expectAccessible(page)
    await page.getByRole('button', { name: 'Save' }).click()
    await expect.poll(policiesOf).toMatchObject({ shop: { excluded: true, min_coverage: 0.55 } })
    const history = page.locator('dl > div', { hasText: 'Minimum usage history' })
    await history.getByText('from cluster').waitFor()
    await page.getByRole('button', { name: 'Remove namespace policy' }).click()
    await page.getByText('shop now uses the cluster policy.').waitFor()
    expect(Object.keys(await policiesOf())).toEqual([''])
    await page.getByRole('button', { name: 'Undo' }).click()
    await expect.poll(policiesOf).toMatchObject({ shop: { excluded: true, min_coverage: 0.55 } })

    // In a cluster with more namespaces than one page, the last one can be set as well.
    const names = Array.from({ length: 501 }, (_each, index) => `team-${String(index).padStart(3, '0')}`)
    const row = { cluster_id: clusterId, settings: '{"min_history_days": 3}', updated_at: t.clock.now, revision: 1 }
    await t.db.insertInto('recommendation_policy').values(names.map((namespace) => ({ ...row, namespace }))).execute() // prettier-ignore
    await page.reload()
    await page.getByRole('combobox', { name: 'Scope' }).selectOption('team-500')
    await page.getByRole('button', { name: 'Edit' }).click()
    await page.getByRole('textbox', { name: 'Minimum savings' }).fill('7')
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByText('Saved. Applies from the next analysis.').waitFor()
    expect(await policiesOf()).toMatchObject({ 'team-500': { min_history_days: 3, min_savings: 7 } })

    // A failed reset is not always caused by another user.
    await page.getByRole('combobox', { name: 'Scope' }).selectOption('shop')
    await page.getByRole('button', { name: 'Remove namespace policy' }).click()
    await page.getByText('shop now uses the cluster policy.').waitFor()
    await page.route('**/api/v1/policies', (route) => route.abort())
    await page.getByRole('button', { name: 'Undo' }).click()
    await page.getByText('Undo failed. The service does not respond.').waitFor()
    dashboard.allowComplaints(/ERR_FAILED/)
  })
})
