import { gunzipSync } from 'node:zlib'
import { readFile } from 'node:fs/promises'
import { setTimeout } from 'node:timers/promises'
import type { Page } from 'playwright-core'
import { describe, expect, test } from 'vitest'
import { expectAccessible, follow, hasBrowser, phone, useSharedTab } from './browser.ts'
import { useFilledDashboard } from './filled-dashboard.ts'
import { idsOf } from './findings.ts'
import { patience } from './patience.ts'
import { aPerson } from './people.ts'
import { send } from './test-app.ts'

const button = (page: Page, name: string | RegExp) => page.getByRole('button', { name })

/** Presses again when no tab opens: the list may replace the row between the press and the release of the button. */
async function openedTab(page: Page, press: () => Promise<void>): Promise<Page> {
  for (let tries = 0; tries < 5; tries += 1) {
    const opened = page.context().waitForEvent('page', { timeout: 10_000 })
    const [tab] = await Promise.all([opened.catch(() => undefined), press()])
    if (tab) return tab
  }
  throw new Error('no press of the row opened a tab')
}

/** The list of recommendations and the pages of its rows. Without a Chromium on this machine they are skipped. */
describe.skipIf(!hasBrowser)('recommendations in the dashboard', () => {
  const filled = useFilledDashboard()
  const { t, dashboard } = filled
  const openAsViewer = useSharedTab(dashboard, () => aPerson(t, 'viewer'))

  test('grouped, the list shows sums, then rows; the manifests of several come as one archive', async () => {
    const page = await dashboard.signedIn(await aPerson(t, 'viewer'))
    await page.goto(`${dashboard.url}/recommendations?view=all`)
    await page.getByText('3 open').waitFor()
    await page.getByText('$26.00/month').waitFor()
    await page.getByLabel('Group by').selectOption('namespace')
    await page.getByRole('row', { name: /shop 2 recommendations \$25\.00 \$40\.00/ }).waitFor()
    await button(page, 'shop').click()
    await page.getByLabel('Select shop/web').check()
    await page.getByLabel('Select shop/api').check()
    await expectAccessible(page)
    // A viewer can still download the change for Git.
    expect(await button(page, /approve|reject|implemented/i).count()).toBe(0)
    await button(page, 'Manifests').click()
    const [saved] = await Promise.all([page.waitForEvent('download'), button(page, 'Download .tar.gz').click()])
    const archive = gunzipSync(await readFile(await saved.path())).toString('latin1')
    expect(archive).toContain('deployment-web')
    expect(archive).toContain('deployment-api')
    await expectAccessible(page)
  })

  test('bankable savings explain why they differ from the estimate, by keyboard alone', async () => {
    const page = await openAsViewer('/')
    for (const path of ['/', '/recommendations?view=all']) {
      await follow(page, `${dashboard.url}${path}`)
      await page.getByRole('link', { name: 'shop/web' }).focus()
      await page.keyboard.press('Tab')
      await page.keyboard.press('Enter')
      const why = page.getByRole('dialog', { name: 'Bankable savings' })
      await why.getByText('The rest stays.').waitFor()
      expect(await why.locator('dd').allTextContents()).toEqual(['$30.00', '$20.00'])
      await expectAccessible(page)
      await page.keyboard.press('Escape')
      await why.waitFor({ state: 'detached' })
      expect(page.url()).toBe(`${dashboard.url}${path}`)
    }
  })

  test('an amount with an explanation makes no row taller, at any width', async () => {
    const page = await openAsViewer('/recommendations?view=all')
    const cells = page.locator('.rec-one .rec-bankable')
    await cells.first().waitFor()
    for (const width of [390, 768, 1440]) {
      await page.setViewportSize({ width, height: 900 })
      const heights = async () => {
        const boxes = await Promise.all((await cells.all()).map((cell) => cell.boundingBox()))
        return new Set(boxes.map((box) => box?.height)).size
      }
      await expect.poll(heights, { ...patience, message: `${width} px` }).toBe(1)
      await page.locator('.rec-one', { hasText: 'shop/web' }).getByRole('button', { name: '$20' }).click()
      await page.getByText('The rest stays.').waitFor()
      await page.keyboard.press('Escape')
      await page.getByText('The rest stays.').waitFor({ state: 'detached' })
    }
  })

  test('closing an explanation keeps the selection, and only words are announced', async () => {
    const page = await openAsViewer('/recommendations?view=all')
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
  })

  test('a click anywhere on a row opens its page, or a new tab on request', async () => {
    const page = await openAsViewer('/recommendations?view=all')
    const web = page.getByRole('row', { name: /shop\/web/ })
    const href = await page.getByRole('link', { name: 'shop/web' }).getAttribute('href')
    const presses = [
      () => web.click({ position: { x: 900, y: 12 }, modifiers: ['Control'] }),
      () => web.click({ position: { x: 400, y: 12 }, button: 'middle' }),
      // The explained amount is above the row link.
      () => web.locator('.explained').click({ modifiers: ['Control'] }),
      () => web.locator('.explained').click({ button: 'middle' }),
    ]
    for (const press of presses) {
      const tab = await openedTab(page, press)
      // Checks only the URL: a tab may load before its events are observed, and a locator would then wait forever.
      await expect.poll(() => tab.url(), patience).toBe(`${dashboard.url}${href}`)
      await tab.close()
    }
    expect(new URL(page.url()).pathname).toBe('/recommendations')
    await page.getByRole('row', { name: /data\/lake/ }).click({ position: { x: 900, y: 12 } })
    await page.getByRole('heading', { level: 1, name: 'data/lake' }).waitFor()
    // Back in the list, keys act on the previous row.
    await page.goBack()
    await page.locator('[data-current="true"]', { hasText: 'data/lake' }).waitFor()
  })

  test('a recommendation page walks through its list, and goes back to it', async () => {
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
    // A decided recommendation leaves the list, and the walk continues from its place.
    await button(page, 'Approve').click()
    await button(page, 'Undo').waitFor()
    await page.keyboard.press('j')
    await isAt('shop/api')
    await page.reload()
    await isAt('shop/api')
    await page.goBack()
    await page.getByRole('link', { name: 'shop/api' }).waitFor()
    expect(page.url()).toBe(list)
    const id = (await idsOf(t, filled.cluster.clusterId)).web ?? ''
    for (const action of ['reject', 'reopen']) {
      const url = `/api/v1/recommendations/${id}/${action}`
      expect((await send(t, { method: 'POST', url, headers: editor.bearer })).statusCode).toBe(200)
    }
    // From a group the walk covers that group only, and goes back to the grouped list.
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
    // A direct visit has no list.
    await page.goto(`${dashboard.url}/recommendations/${id}`)
    await button(page, 'Approve').waitFor()
    expect(await page.getByText('Next').count()).toBe(0)
  })

  test('withheld recommendations are counted and filtered, and the dialog closes without scrolling', async () => {
    // More than one page: the match may be on a later page.
    const held = Array.from({ length: 510 }, (_each, index) => ({
      ...{
        cluster_id: filled.cluster.clusterId,
        rule_id: 'requests_missing',
        target_key: `Deployment/shop/new-${index}/app`,
      },
      target: JSON.stringify({ kind: 'Deployment', namespace: 'shop', name: `new-${index}`, container: 'app' }),
      ...{ namespace: 'shop', detail: 'One day is known.', unlock: 'Wait.', since: t.clock.now },
      reason: index < 3 ? 'too_spiky' : 'too_little_history',
    }))
    await t.db.insertInto('recommendation_withheld').values(held).execute()
    const page = await dashboard.signedIn(await aPerson(t, 'viewer'))
    await page.goto(`${dashboard.url}/recommendations?view=all`)
    await button(page, 'Withheld 510').click()
    const dialog = page.getByRole('dialog')
    await page.locator('h2:focus').getByText('Withheld recommendations').waitFor()
    expect(await dialog.getByLabel('Reason').innerText()).toMatch(/Too little history, 507\s+Usage too irregular, 3/)
    const bottom = await page.evaluate<number>(`innerHeight`)
    const { y = bottom } = (await dialog.getByRole('button', { name: 'Close' }).boundingBox()) ?? {}
    expect(y).toBeLessThan(bottom - 32)
    // Searches the last name, which is not on the first page.
    await dialog.getByLabel('Filter by text').fill('SHOP/new-99 known')
    await dialog.getByText('1 row', { exact: true }).waitFor()
    await dialog.getByText('shop/new-99').waitFor()
    await dialog.getByLabel('Filter by text').fill('nobody')
    await dialog.getByText('No withheld recommendations match “nobody”.').waitFor()
    await dialog.getByLabel('Filter by text').fill('')
    await dialog.getByText('510 rows').waitFor()
    await dialog.getByLabel('Reason').selectOption({ label: 'Usage too irregular, 3' })
    await dialog.getByText('3 rows').waitFor()
    // Now, because checking 510 rows would take seconds.
    await expectAccessible(page)
    await dialog.getByLabel('Filter by text').fill('shop new-2')
    await dialog.getByText('1 row', { exact: true }).waitFor()
    await dialog.getByRole('button', { name: 'Close' }).click()
    await dialog.waitFor({ state: 'detached' })
    // Keyboard focus returns to the same element, no matter how fast the rows load.
    const focused = () => page.evaluate<string>(`document.activeElement.textContent`)
    expect(await focused()).toBe('Withheld510')
    await page.keyboard.press('Enter')
    await dialog.getByText('510 rows').waitFor()
    expect(await focused()).toBe('Withheld recommendations')
    await page.keyboard.press('Escape')
    await dialog.waitFor({ state: 'detached' })
    expect(await focused()).toBe('Withheld510')
    await t.db.deleteFrom('recommendation_withheld').where('cluster_id', '=', filled.cluster.clusterId).execute()
  })

  test('savings of the selection are requested once, with a message while they are computed', async () => {
    const page = await dashboard.signedIn(await aPerson(t, 'viewer'))
    const sizes: unknown[] = []
    await page.route('**/api/v1/recommendations/preview', async (route) => {
      sizes.push((route.request().postDataJSON() as { ids: string[] }).ids.length)
      await setTimeout(200)
      await route.continue()
    })
    await page.goto(`${dashboard.url}/recommendations?view=all`)
    await page.getByLabel('Select shop/web').waitFor()
    // The page waits 400 ms for another selection. Its clock is stopped, so a slow machine selects all rows in that
    // time.
    await page.clock.pauseAt(t.clock.now.getTime() + 3_600_000)
    for (const name of ['shop/web', 'shop/api', 'data/lake']) await page.getByLabel(`Select ${name}`).check()
    const bar = page.getByRole('region', { name: 'Selection' })
    await bar.getByText('3 selected: computing …').waitFor()
    await page.clock.resume()
    await bar.getByText('$80/month estimated').waitFor()
    expect(sizes).toEqual([3])
  })

  test('on a phone the selection bar has two lines and shows no keyboard shortcuts', async () => {
    const page = await dashboard.signedIn(await aPerson(t), phone)
    await page.goto(`${dashboard.url}/recommendations?view=all`)
    await page.getByLabel('Select shop/web').check()
    const bar = page.getByRole('region', { name: 'Selection' })
    await bar.getByText('$30/month estimated').waitFor()
    expect((await bar.boundingBox())?.height).toBeLessThan(120)
    expect(await page.locator('kbd:visible').count()).toBe(0)
    await button(page, 'why').click()
    await page.getByText('Savings of the selection').waitFor()
    await expectAccessible(page)
    await button(page, 'Menu').click()
    await button(page, 'Command palette').click()
    await page.getByRole('option', { name: 'Savings', exact: true }).waitFor()
    expect(await page.locator('kbd:visible').count()).toBe(0)
  })

  test('with a keyboard the shortcuts are shown', async () => {
    const page = await dashboard.signedIn(await aPerson(t))
    await page.goto(`${dashboard.url}/recommendations?view=all`)
    await page.getByLabel('Select shop/web').check()
    const bar = page.getByRole('region', { name: 'Selection' })
    expect(await bar.locator('kbd:visible').allTextContents()).toEqual(['esc', 'm', 'r'])
  })
})
