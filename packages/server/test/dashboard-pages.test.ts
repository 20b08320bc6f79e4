import { gunzipSync } from 'node:zlib'
import { readFile } from 'node:fs/promises'
import { setTimeout } from 'node:timers/promises'
import type { Page } from 'playwright-core'
import { beforeAll, describe, expect, test } from 'vitest'
import { builtWeb, expectAccessible, hasBrowser, phone, useDashboard, whenLoaded } from './browser.ts'
import { aFinding, analysed, idsOf } from './findings.ts'
import { aFoldedCluster, type FoldedCluster } from './folded-cluster.ts'
import { endSecond, twoNodesWithCloudResources } from '@plimsoll/pipeline/testing'
import { showWorkloads } from './manifests/shown-workloads.ts'
import { patience } from './patience.ts'
import { aCluster, aPerson, aRole, password } from './people.ts'
import { send, useTestApp } from './test-app.ts'

const button = (page: Page, name: string | RegExp) => page.getByRole('button', { name })

/** As wide as changes are: both of its halves are to be read. */
const smaller = {
  ...aFinding({ name: 'lake', namespace: 'data' }).change,
  fields: [
    { path: 'resources.requests.cpu', from: '1500m', to: '620m' },
    { path: 'resources.requests.memory', from: '3456Mi', to: '1946Mi' },
  ],
}

/** The service as it is for whoever asked too often. */
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

/** What the pages do beside the great journeys. Without a Chromium on this machine it is skipped. */
describe.skipIf(!hasBrowser)('pages of the dashboard', () => {
  const t = useTestApp({ webDirectory: builtWeb })
  const dashboard = useDashboard(t)
  let cluster: FoldedCluster

  beforeAll(async () => {
    t.clock.now = new Date(endSecond * 1000)
    cluster = await aFoldedCluster(t, twoNodesWithCloudResources)
    await showWorkloads(t, cluster.clusterId, [
      aFinding({ name: 'web', estimatedUsdPerMonth: 30, bankableUsdPerMonth: 20, bankableBecause: 'The rest stays.' }),
      aFinding({ name: 'api', estimatedUsdPerMonth: 10, bankableUsdPerMonth: 5 }),
      aFinding({ name: 'lake', namespace: 'data', estimatedUsdPerMonth: 40, bankableUsdPerMonth: 1, change: smaller }),
    ])
  })

  test('the palette finds pages, workloads and advice by a part of their name, by keyboard alone', async () => {
    const page = await dashboard.signedIn(await aPerson(t, 'viewer'))
    await page.goto(dashboard.url)
    await page.getByText('Compute cost by use').waitFor()
    await page.keyboard.press('Control+k')
    await page.getByRole('combobox').waitFor()
    await expectAccessible(page)
    await page.keyboard.type('lake')
    await page.clock.runFor(300)
    await page.getByRole('option', { name: 'data/lake' }).waitFor()
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { level: 1, name: 'data/lake' }).waitFor()
    await page.keyboard.press('Control+k')
    await page.keyboard.type('alloc')
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { level: 1, name: 'Allocation' }).waitFor()
    await page.context().close()
  })

  test('grouped, the list shows sums, then rows; the manifests of several come as one archive', async () => {
    const page = await dashboard.signedIn(await aPerson(t, 'viewer'))
    await page.goto(`${dashboard.url}/recommendations`)
    await page.getByText('3 open').waitFor()
    await page.getByText('$26.00/month').waitFor()
    await page.getByLabel('Group by').selectOption('namespace')
    await page.getByRole('row', { name: /shop 2 recommendations \$25\.00 \$40\.00/ }).waitFor()
    await button(page, 'shop').click()
    await page.getByLabel('Select shop/web').check()
    await page.getByLabel('Select shop/api').check()
    await expectAccessible(page)
    // Whoever may only read may still take the change into Git.
    expect(await button(page, /approve|reject|implemented/i).count()).toBe(0)
    await button(page, 'Manifests').click()
    const [saved] = await Promise.all([
      page.waitForEvent('download'),
      button(page, /^Download \d+ files? and plimsoll\.md, \.tar\.gz$/).click(),
    ])
    const archive = gunzipSync(await readFile(await saved.path())).toString('latin1')
    expect(archive).toContain('deployment-web')
    expect(archive).toContain('deployment-api')
    await expectAccessible(page)
    await page.context().close()
  })

  test('whoever asked too often sees when it goes on, and it goes on by itself, without an end', async () => {
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
    await page.getByText('Compute cost by use').waitFor()
    await page.context().close()
  })

  test('what is shown stays while the service refuses, and what is missing comes by itself', async () => {
    const page = await dashboard.signedIn(await aPerson(t, 'viewer'))
    dashboard.allowComplaints(/429/)
    await page.goto(dashboard.url)
    await page.getByText('Compute cost by use').waitFor()
    const refuse = await refusing(page, '**/api/**', 22)
    await page.clock.runFor(61_000)
    await expect.poll(() => refuse.refused).toBeGreaterThan(0)
    await page.getByText('Compute cost by use').waitFor()
    await page.getByRole('link', { name: 'Savings' }).click()
    await page.getByRole('timer').first().waitFor()
    await page.getByRole('link', { name: 'Recommendations' }).waitFor()
    expect(await page.getByText('0 implemented or resolved').count()).toBe(0)
    expect(await button(page, 'Try again').count()).toBe(0)
    await refuse.stop()
    await page.clock.runFor(23_000)
    await page.getByText('No implemented recommendations').waitFor()
    await page.context().close()
  })

  test.each(['', '/recommendations'])(
    'what can be banked says why it is not the estimate, by keyboard alone: page "%s"',
    async (path) => {
      const page = await dashboard.signedIn(await aPerson(t, 'viewer'))
      await page.goto(`${dashboard.url}${path}`)
      await page.getByRole('link', { name: 'shop/web' }).focus()
      await page.keyboard.press('Tab')
      await page.keyboard.press('Enter')
      const why = page.getByRole('dialog', { name: 'Bankable savings' })
      await why.getByText('The rest stays.').waitFor()
      expect(await why.locator('dd').allTextContents()).toEqual(['$30.00', '$20.00'])
      await expectAccessible(page)
      await page.keyboard.press('Escape')
      await why.waitFor({ state: 'detached' })
      expect(new URL(page.url()).pathname).toBe(path || '/')
      await page.context().close()
    },
  )

  test.each([390, 768, 1440])('at %i pixels an amount that explains itself makes no row taller', async (width) => {
    const page = await dashboard.signedIn(await aPerson(t, 'viewer'))
    await page.setViewportSize({ width, height: 900 })
    await page.goto(`${dashboard.url}/recommendations`)
    const cells = page.locator('.rec-one .rec-bankable')
    await cells.first().waitFor()
    const boxes = await Promise.all((await cells.all()).map((cell) => cell.boundingBox()))
    expect(new Set(boxes.map((box) => box?.height)).size).toBe(1)
    await page.locator('.rec-one', { hasText: 'shop/web' }).getByRole('button', { name: '$20' }).click()
    await page.getByText('The rest stays.').waitFor()
    await page.context().close()
  })

  test('what closes an explanation clears no selection, and only words are announced', async () => {
    const page = await dashboard.signedIn(await aPerson(t, 'viewer'))
    await page.goto(`${dashboard.url}/recommendations`)
    await page.getByLabel('Select shop/web').check()
    const bar = page.getByRole('region', { name: 'Selection' })
    await bar.getByText('$30/month estimated').waitFor()
    expect(await page.locator('[aria-live]').getByRole('button').count()).toBe(0)
    await button(page, 'why').click()
    await page.getByText('Savings of the selection').waitFor()
    await page.keyboard.press('Escape')
    await page.getByText('Savings of the selection').waitFor({ state: 'detached' })
    await bar.getByText('1 selected').waitFor()
    await page.keyboard.press('Escape')
    await bar.waitFor({ state: 'detached' })
    await page.context().close()
  })

  test('a row leads to its page wherever it is pressed, in another tab for whoever asks for one', async () => {
    const page = await dashboard.signedIn(await aPerson(t, 'viewer'))
    await page.goto(`${dashboard.url}/recommendations`)
    const web = page.getByRole('row', { name: /shop\/web/ })
    const href = await page.getByRole('link', { name: 'shop/web' }).getAttribute('href')
    const presses = [
      () => web.click({ position: { x: 900, y: 12 }, modifiers: ['Control'] }),
      () => web.click({ position: { x: 400, y: 12 }, button: 'middle' }),
      // What explains itself lies above the link of the row.
      () => web.locator('.explained').click({ modifiers: ['Control'] }),
      () => web.locator('.explained').click({ button: 'middle' }),
    ]
    for (const press of presses) {
      const [tab] = await Promise.all([page.context().waitForEvent('page'), press()])
      // The address alone: a tab may have loaded before its events are heard, and a locator would then wait for them forever.
      await expect.poll(() => tab.url(), patience).toBe(`${dashboard.url}${href}`)
      await tab.close()
    }
    expect(new URL(page.url()).pathname).toBe('/recommendations')
    await page.getByRole('row', { name: /data\/lake/ }).click({ position: { x: 900, y: 12 } })
    await page.getByRole('heading', { level: 1, name: 'data/lake' }).waitFor()
    // Back in the list, keys act on the row that one came from.
    await page.goBack()
    await page.locator('[data-current="true"]', { hasText: 'data/lake' }).waitFor()
    await page.context().close()
  })

  test('the page of one walks through the list that one came from, and goes back to it', async () => {
    const editor = await aPerson(t, 'editor')
    const page = await dashboard.signedIn(editor)
    const isAt = (name: string) => page.getByRole('heading', { level: 1, name }).waitFor()
    const list = `${dashboard.url}/recommendations?namespace=shop&sort=-estimated_savings`
    await page.goto(list)
    await page.getByRole('link', { name: 'shop/web' }).click()
    await isAt('shop/web')
    expect(await button(page, /^Previous/).isDisabled()).toBe(true)
    await page.getByRole('link', { name: /^Next/ }).click()
    await isAt('shop/api')
    expect(await button(page, /^Next/).isDisabled()).toBe(true)
    await page.keyboard.press('k')
    await isAt('shop/web')
    // What is decided leaves the list, and one still goes on from where it was.
    await button(page, 'Approve').click()
    await button(page, 'Undo').waitFor()
    await page.keyboard.press('j')
    await isAt('shop/api')
    await page.reload()
    await isAt('shop/api')
    await page.goBack()
    await page.getByRole('link', { name: 'shop/api' }).waitFor()
    expect(page.url()).toBe(list)
    const id = (await idsOf(t, cluster.clusterId)).web ?? ''
    for (const action of ['reject', 'reopen']) {
      const url = `/api/v1/recommendations/${id}/${action}`
      expect((await send(t, { method: 'POST', url, headers: editor.bearer })).statusCode).toBe(200)
    }
    // From a group one walks through that group alone, and goes back to the list with its groups.
    await page.goto(`${dashboard.url}/recommendations?group=namespace`)
    await button(page, 'shop').click()
    await page.getByRole('link', { name: 'shop/web' }).click()
    await page.getByRole('link', { name: /^Next/ }).click()
    await isAt('shop/api')
    await page.reload()
    await button(page, /^Next/).waitFor()
    expect(await button(page, /^Next/).isDisabled()).toBe(true)
    await page.getByRole('main').getByRole('link', { name: 'Recommendations' }).click()
    await button(page, 'data').waitFor()
    expect(new URL(page.url()).searchParams.get('group')).toBe('namespace')
    expect(page.url()).not.toContain('within')
    // Who came from nowhere has no list.
    await page.goto(`${dashboard.url}/recommendations/${id}`)
    await button(page, 'Approve').waitFor()
    expect(await page.getByText('Next').count()).toBe(0)
    await page.context().close()
  })

  test('what is withheld is counted, can be narrowed, and closes without scrolling', async () => {
    const page = await dashboard.signedIn(await aPerson(t, 'viewer'))
    // More than come at once: what is looked for may be among the others.
    const held = Array.from({ length: 510 }, (_each, index) => ({
      ...{ cluster_id: cluster.clusterId, rule_id: 'requests_missing', target_key: `Deployment/shop/new-${index}/app` },
      target: JSON.stringify({ kind: 'Deployment', namespace: 'shop', name: `new-${index}`, container: 'app' }),
      ...{ namespace: 'shop', detail: 'One day is known.', unlock: 'Wait.', since: t.clock.now },
      reason: index < 3 ? 'too_spiky' : 'too_little_history',
    }))
    await t.db.insertInto('recommendation_withheld').values(held).execute()
    await page.goto(`${dashboard.url}/recommendations`)
    await button(page, 'Withheld 510').click()
    const dialog = page.getByRole('dialog')
    await page.locator('h2:focus').getByText('Withheld recommendations').waitFor()
    expect(await dialog.getByLabel('Reason').innerText()).toMatch(/too little history, 507\s+usage too spiky, 3/)
    await expectAccessible(page)
    const bottom = await page.evaluate<number>(`innerHeight`)
    const { y = bottom } = (await dialog.getByRole('button', { name: 'Close' }).boundingBox()) ?? {}
    expect(y).toBeLessThan(bottom - 32)
    // By name, the very last one; it is not among the first page.
    await dialog.getByLabel('Filter by text').fill('SHOP/new-99 known')
    await dialog.getByText('1 row', { exact: true }).waitFor()
    await dialog.getByText('shop/new-99').waitFor()
    await dialog.getByLabel('Filter by text').fill('nobody')
    await dialog.getByText('No withheld recommendations match “nobody”.').waitFor()
    await dialog.getByLabel('Filter by text').fill('')
    await dialog.getByText('510 rows').waitFor()
    await dialog.getByLabel('Reason').selectOption({ label: 'usage too spiky, 3' })
    await dialog.getByText('3 rows').waitFor()
    await dialog.getByLabel('Filter by text').fill('shop new-2')
    await dialog.getByText('1 row', { exact: true }).waitFor()
    await dialog.getByRole('button', { name: 'Close' }).click()
    await dialog.waitFor({ state: 'detached' })
    // Whoever has no mouse goes on where they were, and begins at the same place however soon the rows are there.
    const focused = () => page.evaluate<string>(`document.activeElement.textContent`)
    expect(await focused()).toBe('Withheld510')
    await page.keyboard.press('Enter')
    await dialog.getByText('510 rows').waitFor()
    expect(await focused()).toBe('Withheld recommendations')
    await page.keyboard.press('Escape')
    await dialog.waitFor({ state: 'detached' })
    expect(await focused()).toBe('Withheld510')
    await t.db.deleteFrom('recommendation_withheld').where('cluster_id', '=', cluster.clusterId).execute()
    await page.context().close()
  })

  test('what is selected is worked out once, and says so meanwhile', async () => {
    const page = await dashboard.signedIn(await aPerson(t, 'viewer'))
    const asked: unknown[] = []
    await page.route('**/api/v1/recommendations/preview', async (route) => {
      asked.push((route.request().postDataJSON() as { ids: string[] }).ids.length)
      await setTimeout(200)
      await route.continue()
    })
    await page.goto(`${dashboard.url}/recommendations`)
    await page.getByLabel('Select shop/web').waitFor()
    // The page waits 400 ms for another tick. Its clock stands still, so that a slow machine ticks all boxes in that time.
    await page.clock.pauseAt(t.clock.now.getTime() + 3_600_000)
    for (const name of ['shop/web', 'shop/api', 'data/lake']) await page.getByLabel(`Select ${name}`).check()
    const bar = page.getByRole('region', { name: 'Selection' })
    await bar.getByText('3 selected: computing …').waitFor()
    await page.clock.resume()
    await bar.getByText('$80/month estimated').waitFor()
    expect(asked).toEqual([3])
    await page.context().close()
  })

  test('on a phone what is selected takes two lines of buttons and words, and no keys are named', async () => {
    const page = await dashboard.signedIn(await aPerson(t), phone)
    await page.goto(`${dashboard.url}/recommendations`)
    await page.getByLabel('Select shop/web').check()
    const bar = page.getByRole('region', { name: 'Selection' })
    await bar.getByText('$30/month estimated').waitFor()
    expect((await bar.boundingBox())?.height).toBeLessThan(120)
    expect(await page.locator('kbd:visible').count()).toBe(0)
    await button(page, 'why').click()
    await page.getByText('Savings of the selection').waitFor()
    await expectAccessible(page)
    await button(page, 'Menu').click()
    await button(page, 'go to').click()
    await page.getByRole('option', { name: 'Savings', exact: true }).waitFor()
    expect(await page.locator('kbd:visible').count()).toBe(0)
    await page.context().close()
  })

  test('where there are keys they are named', async () => {
    const page = await dashboard.signedIn(await aPerson(t))
    await page.goto(`${dashboard.url}/recommendations`)
    await page.getByLabel('Select shop/web').check()
    const bar = page.getByRole('region', { name: 'Selection' })
    expect(await bar.locator('kbd:visible').allTextContents()).toEqual(['esc', 'm', 'r'])
    await page.context().close()
  })

  test('the sums of the allocation add up across its columns, whoever bears what is idle', async () => {
    const page = await dashboard.signedIn(await aPerson(t, 'viewer'))
    for (const share of ['none', 'even']) {
      await page.goto(`${dashboard.url}/allocation?window=24h&share=${share}`)
      await whenLoaded(page)
      const cells = await page.locator('tfoot td.num:visible').allTextContents()
      const amounts = cells.map((text) => Number(text.replace(/[$,]/g, '')))
      expect(amounts.length).toBeGreaterThan(4)
      expect(amounts.at(-1)).toBeGreaterThan(0)
      expect(amounts.slice(0, -1).reduce((sum, amount) => sum + amount, 0)).toBeCloseTo(amounts.at(-1) ?? NaN, 6)
    }
    await page.context().close()
  })

  test('a page of one cluster names it where clusters are picked, and offers no choice of all', async () => {
    const page = await dashboard.signedIn(await aPerson(t, 'viewer'))
    await page.goto(`${dashboard.url}/nodes`)
    await whenLoaded(page)
    const { name } = await t.db.selectFrom('cluster').select('name').executeTakeFirstOrThrow()
    await button(page, name).click()
    await page.getByRole('menuitem', { name }).waitFor()
    expect(await page.getByRole('menuitem', { name: 'All clusters' }).count()).toBe(0)
    await page.keyboard.press('Escape')
    await page.goto(dashboard.url)
    await button(page, 'All clusters').waitFor()
    await page.context().close()
  })

  test('each amount of compute stands under its part of the bar', async () => {
    const page = await dashboard.signedIn(await aPerson(t, 'viewer'))
    await page.goto(dashboard.url)
    await whenLoaded(page)
    const leftOf = (selector: string) =>
      page.evaluate<number[]>(
        `[...document.querySelectorAll('${selector}')].map((each) => each.getBoundingClientRect().left)`,
      )
    const parts = await leftOf('.money-bar > *')
    const figures = await leftOf('.class-figure')
    expect(figures.length).toBe(parts.length)
    parts.forEach((left, index) => expect(Math.abs(left - (figures[index] ?? NaN))).toBeLessThan(4))
    await page.context().close()
  })

  test('an address that no page has is said inside the dashboard', async () => {
    const page = await dashboard.signedIn(await aPerson(t, 'viewer'))
    await page.goto(`${dashboard.url}/nope`)
    await page.getByRole('heading', { name: 'Page not found' }).waitFor()
    await page.getByRole('link', { name: 'Savings' }).waitFor()
    await expectAccessible(page)
    dashboard.allowComplaints(/404/)
    await page.context().close()
  })

  test('somebody else who signs in after a session has ended sees nothing of it', async () => {
    const first = await aPerson(t)
    const second = await aPerson(t, await aRole(t, ['clusters:read'], { clusters: [] }))
    const page = await dashboard.signedIn(first)
    await page.goto(`${dashboard.url}/recommendations`)
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
    await page.context().close()
  })

  test('the audit log says in words what was done, and shows only what somebody asks for', async () => {
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
    await page.getByLabel('Action').selectOption({ label: 'deleted a role' })
    await page.getByText('No matching entries.').waitFor()
    await page.getByLabel('Action').selectOption({ label: 'created an API token' })
    await page.getByRole('combobox', { name: /^User/ }).selectOption({ label: admin.email })
    await expect.poll(() => log.locator('tbody tr').count()).toBe(1)
    await expectAccessible(page)
    await button(page, 'Search').click()
    await page.getByRole('option', { name: 'Savings', exact: true }).waitFor()
    await page.context().close()
  })

  /** More were done than come at once, and the one that was undone is the least of them. */
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
    return { clusterId, leastId: (await idsOf(t, clusterId))[least] ?? '' }
  }

  async function walkBeyondTheFirstPage(page: Page) {
    const { clusterId, leastId } = await manyDone()
    await page.goto(`${dashboard.url}/savings?cluster=${clusterId}`)
    const history = page.getByRole('region', { name: 'Savings history' })
    const rows = history.locator('tbody tr')
    await history.getByText('The 500 largest of 510.').waitFor()
    await button(page, 'Show more').click()
    await expect.poll(() => rows.count()).toBe(510)
    const states = page.getByRole('group', { name: 'Verification' })
    await states.getByText('reverted 1').click()
    await expect.poll(() => rows.count()).toBe(1)
    await history.getByRole('link', { name: 'shop/many-0' }).waitFor()
    await page.goto(`${dashboard.url}/savings?cluster=${clusterId}`)
    await states.getByText('all 510').waitFor()
    const [sheet] = await Promise.all([page.waitForEvent('download'), button(page, 'Download CSV').click()])
    expect((await readFile(await sheet.path(), 'utf8')).split('\r\n')).toHaveLength(511)
    // The last of a list is found on a page that nobody has scrolled to.
    const list = `cluster=${clusterId}&status=implemented&sort=-bankable_savings`
    await page.goto(`${dashboard.url}/recommendations/${leastId}?${list}`)
    await page.getByRole('link', { name: /^Previous/ }).click()
    await page.getByRole('heading', { level: 1, name: 'shop/many-1' }).waitFor()
    await page.goto(`${dashboard.url}/recommendations/${leastId}?${list.replace('implemented', 'pending')}`)
    await page.getByText('No longer in the list').waitFor()
  }

  test.each([390, 768, 1024, 1280])(
    'at %i pixels the savings history and the allocation keep their columns',
    async (width) => {
      const admin = await aPerson(t)
      const id = (await idsOf(t, cluster.clusterId)).lake ?? ''
      await send(t, { method: 'POST', url: `/api/v1/recommendations/${id}/apply`, headers: admin.bearer })
      const page = await dashboard.signedIn(admin)
      await page.setViewportSize({ width, height: 900 })
      await page.goto(`${dashboard.url}/savings`)
      const history = page.getByRole('region', { name: 'Savings history' })
      for (const heading of ['Estimated $/month', 'Bankable $/month', 'Observed $/month', 'Realized $']) {
        await history.locator(`tbody td[data-heading="${heading}"]`).waitFor()
      }
      const isList = (await history.locator('.table-stacked').count()) > 0
      expect(isList).toBe(width < 800)
      await page.getByRole('region', { name: /^Observed savings since \w+ \d{4}$/ }).waitFor()
      await page.getByRole('img', { name: /^Changes from .* estimated / }).waitFor()
      await page.getByRole('group', { name: 'Verification' }).getByText('awaiting rollout 1').click()
      expect(new URL(page.url()).searchParams.get('state')).toBe('awaiting')
      const [sheet] = await Promise.all([page.waitForEvent('download'), button(page, 'Download CSV').click()])
      expect(await readFile(await sheet.path(), 'utf8')).toMatch(/^id,cluster,.*\r\n[^\r]*data\/lake,/)
      if (width < 700) return page.context().close()
      if (width === 1280) await walkBeyondTheFirstPage(page)
      await page.goto(`${dashboard.url}/allocation`)
      for (const name of ['Used', 'Requested but unused', 'Unallocated', 'Storage, load balancers, fees']) {
        await page.getByRole('columnheader', { name, exact: name === 'Used' }).waitFor()
      }
      await page.context().close()
    },
  )
})
