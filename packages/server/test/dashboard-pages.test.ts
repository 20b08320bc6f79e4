import { readFile } from 'node:fs/promises'
import type { Page } from 'playwright-core'
import { describe, expect, test } from 'vitest'
import { evaluateRule } from '../src/alerts/index.ts'
import { aChannel } from './channels.ts'
import { expectAccessible, follow, hasBrowser, phone, useSharedTab } from './browser.ts'
import { useFilledDashboard } from './filled-dashboard.ts'
import { aFinding, analysed, idsOf } from './findings.ts'
import { patience } from './patience.ts'
import { aCluster, aPerson, aRole, password, type Person } from './people.ts'
import { send } from './test-app.ts'

const button = (page: Page, name: string | RegExp) => page.getByRole('button', { name })

/** As text, because code in the page cannot use variables of this file. */
const labelsOfWideTables = `[...document.querySelectorAll('.table-scroll')]
  .filter((each) => each.scrollWidth > each.clientWidth)
  .map((each) => each.getAttribute('aria-label'))`

/** The service for a caller beyond the rate limit. */
async function refusing(page: Page, address: string, seconds: number) {
  const status = 429
  const body = JSON.stringify({ code: 'rate_limited', status, detail: `Too many; try again in ${seconds} s.` })
  const headers = { 'content-type': 'application/problem+json', 'retry-after': String(seconds) }
  const refuse = { refused: 0, stop: () => page.unroute(address) }
  await page.route(address, async (route) => {
    refuse.refused += 1
    await route.fulfill({ status, headers, body })
  })
  return refuse
}

/** Pages other than the list of recommendations. Without a Chromium on this machine they are skipped. */
describe.skipIf(!hasBrowser)('pages of the dashboard', () => {
  const filled = useFilledDashboard()
  const { t, dashboard } = filled
  const openAsViewer = useSharedTab(dashboard, () => aPerson(t, 'viewer'))

  test('the palette finds pages, workloads and recommendations by a part of their name, by keyboard alone', async () => {
    const page = await dashboard.signedIn(await aPerson(t, 'viewer'))
    await page.goto(dashboard.url)
    await page.getByText('Compute cost by usage').waitFor()
    const asked: string[] = []
    page.on('request', (request) => asked.push(new URL(request.url()).pathname))
    await page.keyboard.press('Control+k')
    await page.getByRole('combobox').waitFor()
    await expectAccessible(page)
    await page.keyboard.type('lake')
    await page.clock.runFor(300)
    await page.getByRole('option', { name: 'data/lake' }).waitFor()
    // One request for the whole word, although each letter changes the text.
    expect(asked).toEqual(['/api/v1/search'])
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { level: 1, name: 'data/lake' }).waitFor()
    await page.keyboard.press('Control+k')
    await page.keyboard.type('alloc')
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { level: 1, name: 'Allocation' }).waitFor()
    await page.keyboard.press('Control+k')
    await page.keyboard.type('nothing%_like this')
    await page.clock.runFor(300)
    await page.getByText('No match for “nothing%_like this”.').waitFor()
  })

  test('the palette of a role that only reads recommendations finds them, and no costs', async () => {
    const page = await dashboard.signedIn(await aPerson(t, await aRole(t, ['recommendations:read'])))
    await page.goto(`${dashboard.url}/recommendations`)
    await page.getByRole('heading', { level: 1, name: 'Recommendations' }).waitFor()
    await page.keyboard.press('Control+k')
    await page.getByRole('combobox').waitFor()
    await page.keyboard.type('lake')
    await page.clock.runFor(300)
    await page.getByRole('group', { name: 'Recommendations' }).waitFor()
    expect(await page.getByRole('group', { name: 'Workloads' }).count()).toBe(0)
    await page.keyboard.press('ArrowUp')
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('Enter')
    await page.waitForURL(/\/recommendations\/rec_/)
  })

  test('a page of an unknown workload says so, and unknown values in an address keep the list', async () => {
    const page = await openAsViewer('/workloads/shop%2FDeployment%2Fno-such-workload')
    await page.getByText('Workload not found').waitFor()
    await page.getByText(/^No cost of shop\/no-such-workload in /).waitFor()
    expect(await page.getByText('$0', { exact: true }).count()).toBe(0)
    await follow(page, '/recommendations?view=all&status=lost&sort=name&surprise=1')
    await page.getByRole('link', { name: /lake/ }).first().waitFor()
  })

  test('the tables of alerts, rules and channels fit on a screen of 1024 px', async () => {
    const admin = await aPerson(t)
    const title = 'The cost of the whole production cluster exceeds its budget by 20 %'
    const content = { severity: 'info' as const, title, facts: [], money: null, links: [] }
    const condition = { entity: 'a', isTrue: true, clusterId: filled.cluster.clusterId, namespace: null, content }
    await t.db
      .transaction()
      .execute((tx) => evaluateRule(tx, { rule: 'price_changed', conditions: [condition] }, t.clock.now))
    await aChannel(t.deps, 'slack', { url: 'https://hooks.slack.com/services/T/B/X' })
    const page = await dashboard.signedIn(admin)
    await page.setViewportSize({ width: 1024, height: 900 })
    await page.goto(`${dashboard.url}/settings/alerts`)
    await page.getByRole('region', { name: 'Open alerts' }).getByText('exceeds its budget').waitFor()
    await page.clock.runFor(100)
    const tooWide = () => page.evaluate<string[]>(labelsOfWideTables)
    await expect.poll(tooWide, patience).toEqual([])
  })

  test('a caller beyond the rate limit sees the retry time, and the page continues by itself', async () => {
    const page = await dashboard.signedIn(await aPerson(t, 'viewer'))
    dashboard.allowComplaints(/429/)
    const refuse = await refusing(page, '**/auth/me', 47)
    await page.goto(dashboard.url)
    await page
      .getByRole('timer')
      .filter({ hasText: /^in 4\d s$/ })
      .waitFor()
    await expectAccessible(page)
    await page.clock.runFor(48_000)
    await page
      .getByRole('timer')
      .filter({ hasText: /^in 4\d s$/ })
      .waitFor()
    expect(refuse.refused).toBe(2)
    await refuse.stop()
    await page.clock.runFor(48_000)
    await page.getByText('Compute cost by usage').waitFor()
  })

  test('shown values stay while the service rejects requests, and missing ones load later', async () => {
    const page = await dashboard.signedIn(await aPerson(t, 'viewer'))
    dashboard.allowComplaints(/429/)
    await page.goto(dashboard.url)
    await page.getByText('Compute cost by usage').waitFor()
    const refuse = await refusing(page, '**/api/**', 22)
    await page.clock.runFor(61_000)
    await expect.poll(() => refuse.refused).toBeGreaterThan(0)
    await page.getByText('Compute cost by usage').waitFor()
    await page.getByRole('link', { name: 'Savings' }).click()
    await page.getByRole('timer').first().waitFor()
    await page.getByRole('link', { name: 'Recommendations' }).waitFor()
    expect(await page.getByText('0 implemented or resolved').count()).toBe(0)
    expect(await button(page, 'Try again').count()).toBe(0)
    await refuse.stop()
    await page.clock.runFor(23_000)
    await page.getByText('No implemented recommendations').waitFor()
  })

  test('the sums of the allocation add up across its columns, for any sharing of idle', async () => {
    for (const share of ['none', 'even']) {
      const page = await openAsViewer(`/allocation?window=24h&against=off&share=${share}`)
      const cells = await page.locator('tfoot td.num:visible').allTextContents()
      const amounts = cells.map((text) => Number(text.replace(/[$,]/g, '')))
      expect(amounts.length).toBeGreaterThan(4)
      expect(amounts.at(-1)).toBeGreaterThan(0)
      expect(amounts.slice(0, -1).reduce((sum, amount) => sum + amount, 0)).toBeCloseTo(amounts.at(-1) ?? NaN, 6)
    }
  })

  test('a page of one cluster names it in the cluster picker, and does not offer all clusters', async () => {
    const page = await openAsViewer('/nodes')
    const { name } = await t.db.selectFrom('cluster').select('name').executeTakeFirstOrThrow()
    await button(page, name).click()
    await page.getByRole('menuitem', { name }).waitFor()
    expect(await page.getByRole('menuitem', { name: 'All clusters' }).count()).toBe(0)
    await page.keyboard.press('Escape')
    await follow(page, '/')
    await button(page, 'All clusters').waitFor()
  })

  test('each amount of compute is under its part of the bar', async () => {
    const page = await openAsViewer('/')
    const leftOf = (selector: string) =>
      page.evaluate<number[]>(
        `[...document.querySelectorAll('${selector}')].map((each) => each.getBoundingClientRect().left)`,
      )
    const parts = await leftOf('.money-bar > *')
    const figures = await leftOf('.class-figure')
    expect(figures.length).toBe(parts.length)
    parts.forEach((left, index) => expect(Math.abs(left - (figures[index] ?? NaN))).toBeLessThan(4))
  })

  test('an unknown address shows an error inside the dashboard', async () => {
    const page = await dashboard.signedIn(await aPerson(t, 'viewer'))
    await page.goto(`${dashboard.url}/nope`)
    await page.getByRole('heading', { name: 'Page not found' }).waitFor()
    await page.getByRole('link', { name: 'Savings' }).waitFor()
    await expectAccessible(page)
    dashboard.allowComplaints(/404/)
  })

  test('another user who signs in after a session has ended sees nothing of it', async () => {
    const first = await aPerson(t)
    const second = await aPerson(t, await aRole(t, ['clusters:read'], { clusters: [] }))
    const page = await dashboard.signedIn(first)
    await page.goto(`${dashboard.url}/recommendations?view=all`)
    await page.getByRole('link', { name: 'shop/web' }).waitFor()
    await t.db.deleteFrom('session').where('user_id', '=', first.userId).execute()
    await page.getByRole('link', { name: 'Savings' }).click()
    await page.getByText('Your session has ended').waitFor()
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel('E-mail address').fill(second.email)
    await dialog.getByLabel('Password').fill(password)
    await button(page, 'Sign in').click()
    await page.getByText('No cluster connected').waitFor()
    expect(await page.getByRole('link', { name: 'Recommendations' }).count()).toBe(0)
    expect(await page.content()).not.toContain('shop/web')
    dashboard.allowComplaints(/401/)
  })

  test('the audit log describes actions in words, and shows details on demand', async () => {
    const admin = await aPerson(t)
    await send(t, {
      ...{ method: 'POST', url: '/api/v1/api-keys', headers: admin.bearer },
      body: { name: 'nightly', scopes: ['clusters:read'] },
    })
    const page = await dashboard.signedIn(admin, phone)
    await page.goto(`${dashboard.url}/settings/audit`)
    const log = page.locator('.table-scroll')
    await log.getByText('created an API token').first().waitFor()
    await log.getByText(/permissions clusters:read/).waitFor()
    await page.getByLabel('Action').selectOption({ label: 'Deleted a role' })
    await page.getByText('No matching entries.').waitFor()
    await page.getByLabel('Action').selectOption({ label: 'Created an API token' })
    await page.getByRole('combobox', { name: /^User/ }).selectOption({ label: admin.email })
    await expect.poll(() => log.locator('tbody tr').count()).toBe(1)
    await expectAccessible(page)
    await button(page, 'Search').click()
    await page.getByRole('option', { name: 'Savings', exact: true }).waitFor()
  })

  /** A step with a verified and a reverted change, whose node has no data. */
  const promise = (clusterId: string, ids: readonly string[]) =>
    t.db
      .insertInto('plan_step_promise')
      .values({
        ...{ cluster_id: clusterId, step_id: 'stp_many', kind: 'free', title: 'Lower 2 requests in shop' },
        ...{ named_at: t.clock.now, promised_at: t.clock.now, savings: '100', resources: '[]' },
        nodes: JSON.stringify([{ name: 'node-7', pool: 'general', usdPerMonth: '100', replacedBy: null }]),
        members: JSON.stringify(ids.map((id) => ({ id, share: '50' }))),
      })
      .execute()

  /** More applied recommendations than one page, and the reverted one has the lowest savings. */
  async function manyDone() {
    const { clusterId } = await aCluster(t)
    const findings = Array.from({ length: 510 }, (_each, index) =>
      aFinding({ name: `many-${index}`, estimatedUsdPerMonth: 600, bankableUsdPerMonth: 1 + index }),
    )
    await analysed(t, clusterId, { findings })
    const become = (verification: 'verified' | 'reverted', names: string[]) =>
      t.db
        .updateTable('recommendation')
        .set({ status: 'implemented', verification, done_at: t.clock.now })
        .where('cluster_id', '=', clusterId)
        .where('workload_name', 'in', names)
        .execute()
    const [least = '', ...others] = findings.map(({ target }) => target?.name ?? '')
    await become('verified', others)
    await become('reverted', [least])
    const ids = await idsOf(t, clusterId)
    await promise(clusterId, [ids['many-1'] ?? '', ids[least] ?? ''])
    return { clusterId, leastId: ids[least] ?? '' }
  }

  async function walkBeyondTheFirstPage(page: Page) {
    const { clusterId, leastId } = await manyDone()
    await page.goto(`${dashboard.url}/savings?cluster=${clusterId}`)
    const history = page.getByRole('region', { name: 'Savings history' })
    const rows = history.locator('tbody tr')
    await history.getByText('The 500 largest of 510.').waitFor()
    const download = history.getByRole('button', { name: 'Download CSV' })
    const [sheet] = await Promise.all([page.waitForEvent('download'), download.click()])
    expect((await readFile(await sheet.path(), 'utf8')).split('\r\n')).toHaveLength(511)
    await button(page, 'Show more').click()
    await expect.poll(() => rows.count()).toBe(510)
    const states = page.getByRole('group', { name: 'Verification' })
    await states.getByText('reverted 1').click()
    await expect.poll(() => rows.count()).toBe(1)
    await history.getByRole('link', { name: 'shop/many-0' }).waitFor()
    await states.getByText('all 510').waitFor()
    const steps = page.getByRole('region', { name: 'Plan steps: bankable and realized savings' })
    await steps.getByText('Lower 2 requests in shop').waitFor()
    // The agent never reported the node, so nothing of the promise is observed.
    await steps.getByText('Bankable savings $100.00 = bill reduction $0.00 + not observed $100.00.').waitFor()
    // The last row of a list is on a page that is not loaded yet.
    const list = `cluster=${clusterId}&status=implemented&sort=-bankable_savings`
    await page.goto(`${dashboard.url}/recommendations/${leastId}?${list}`)
    await page.getByRole('link', { name: /^Previous/ }).click()
    await page.getByRole('heading', { level: 1, name: 'shop/many-1' }).waitFor()
    await page.goto(`${dashboard.url}/recommendations/${leastId}?${list.replace('implemented', 'pending')}`)
    await page.getByText('No longer in the list').waitFor()
  }

  async function applyLake(admin: Person) {
    const id = (await idsOf(t, filled.cluster.clusterId)).lake ?? ''
    await send(t, { method: 'POST', url: `/api/v1/recommendations/${id}/apply`, headers: admin.bearer })
  }

  test('the savings history is filtered by state, downloaded, and goes beyond its first page', async () => {
    const admin = await aPerson(t)
    await applyLake(admin)
    const page = await dashboard.signedIn(admin)
    await page.goto(`${dashboard.url}/savings`)
    await page.getByRole('group', { name: 'Verification' }).getByText('pending verification 1').click()
    expect(new URL(page.url()).searchParams.get('state')).toBe('awaiting')
    const [sheet] = await Promise.all([page.waitForEvent('download'), button(page, 'Download CSV').click()])
    expect(await readFile(await sheet.path(), 'utf8')).toMatch(/^id,cluster,.*\r\n[^\r]*data\/lake,/)
    await walkBeyondTheFirstPage(page)
  })

  test('the savings history and the allocation keep their columns at every width', async () => {
    const admin = await aPerson(t)
    await applyLake(admin)
    const page = await dashboard.signedIn(admin)
    await page.goto(`${dashboard.url}/savings?cluster=${filled.cluster.clusterId}`)
    const history = page.getByRole('region', { name: 'Savings history' })
    for (const width of [390, 768, 1024, 1280]) {
      await page.setViewportSize({ width, height: 900 })
      await expect.poll(() => history.locator('.table-stacked').count(), patience).toBe(width < 800 ? 1 : 0)
      for (const heading of ['Estimated $/month', 'Bankable $/month', 'Observed $/month', 'Realized $']) {
        await history.locator(`tbody td[data-heading="${heading}"]`).waitFor()
      }
      await page.getByRole('region', { name: /^Observed savings since \d+ \w+ \d{4}$/ }).waitFor()
      await page.getByRole('img', { name: /^Changes from .* estimated / }).waitFor()
    }
    await follow(page, '/allocation')
    for (const width of [768, 1024, 1280]) {
      await page.setViewportSize({ width, height: 900 })
      for (const name of ['Used', 'Requested but unused', 'Unallocated', 'Storage, load balancers, fees']) {
        await page.getByRole('columnheader', { name, exact: name === 'Used' }).waitFor()
      }
    }
  })
})
