import { readFile } from 'node:fs/promises'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { buildApp } from '../src/app.ts'
import { writeWorkloadShapes } from '../src/db/workload-shapes.ts'
import { builtWeb, Dashboard, hasBrowser, whenLoaded } from './browser.ts'
import { aFinding, analysed, idsOf } from './findings.ts'
import { firstObject, liveOf } from './manifests/from-source.ts'
import { workload } from './manifests/corpus/case.ts'
import { aCluster, aPerson, password } from './people.ts'
import { useTestApp } from './test-app.ts'

const source = workload(
  'Deployment',
  'web',
  '\ncontainers:\n- {name: app, image: a, resources: {requests: {cpu: "1", memory: 1Gi}}}\n',
)

/** What somebody takes away from the dashboard, and what becomes of it when the service is not there. */
describe.skipIf(!hasBrowser)('work with the dashboard', () => {
  beforeAll(Dashboard.build)
  const t = useTestApp({ webDirectory: builtWeb })
  let dashboard: Dashboard
  let id: string

  beforeAll(async () => {
    dashboard = await Dashboard.open(t)
    const { clusterId } = await aCluster(t)
    await analysed(t, clusterId, { findings: [aFinding({ name: 'web' })] })
    const live = liveOf(firstObject(source))
    const shape = {
      namespace: 'shop',
      kind: 'Deployment',
      name: 'web',
      shape: live ? { ...live, namespace: 'shop' } : null,
    }
    await t.db.transaction().execute((tx) => writeWorkloadShapes(tx, clusterId, [shape]))
    id = (await idsOf(t, clusterId)).web ?? ''
  })
  afterAll(() => dashboard.close())

  test('a link as the demo prints it signs in with one click', async () => {
    const { email } = await aPerson(t, 'viewer')
    const page = await dashboard.visitor()
    await page.goto(`${dashboard.url}/sign-in#${new URLSearchParams({ email, password }).toString()}`)
    await page.getByRole('button', { name: 'Sign in' }).click()
    await page.getByRole('heading', { level: 1, name: 'Overview' }).waitFor()
    expect(page.url()).not.toContain('password')
    await page.context().close()
  })

  test('a manifest is copied and downloaded as it is shown', async () => {
    const page = await dashboard.signedIn(await aPerson(t, 'viewer'))
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
    await page.goto(`${dashboard.url}/recommendations/${id}`)
    await page.getByRole('button', { name: 'Strategic merge' }).click()
    const file = page
      .locator('pre')
      .filter({ hasText: /cpu: "?500m/ })
      .first()
    const shown = (await file.textContent()) ?? ''
    const section = page.locator('details').filter({ has: file })

    await section.getByRole('button', { name: 'Copy' }).first().click()
    await page.getByText('Copied').first().waitFor()
    expect(await page.evaluate<string>('navigator.clipboard.readText()')).toBe(shown)

    const downloading = page.waitForEvent('download')
    await section.getByRole('button', { name: 'Download' }).first().click()
    const download = await downloading
    expect(download.suggestedFilename()).toMatch(/\.yaml$/)
    expect(await readFile(await download.path(), 'utf8')).toBe(shown)
    await page.context().close()
  })

  test('where a chart has its resources is said once, and who was slower hears of it', async () => {
    const open = async () => {
      const page = await dashboard.signedIn(await aPerson(t, 'editor'))
      await page.goto(`${dashboard.url}/recommendations/${id}`)
      await page.getByRole('button', { name: 'Helm', exact: true }).click()
      await page.getByRole('button', { name: 'It comes from a chart' }).click()
      return page
    }
    const [mine, theirs] = [await open(), await open()]
    for (const [page, path] of [
      [theirs, 'theirs.resources'],
      [mine, 'mine.resources'],
    ] as const) {
      await page.getByLabel(/Where the values of the chart/).fill(path)
      await page.getByRole('button', { name: 'Save for this workload' }).click()
      await page
        .locator('pre')
        .filter({ hasText: /^theirs:/m })
        .waitFor()
    }
    await mine.getByText('Somebody else has changed this meanwhile').waitFor()
    expect(await mine.getByLabel(/Where the values of the chart/).inputValue()).toBe('theirs.resources')
    // The browser notes the refusal.
    expect(dashboard.complaints.filter((text) => !text.includes('412'))).toEqual([])
    dashboard.complaints.length = 0
    for (const page of [mine, theirs]) await page.context().close()
  })

  test('a service that restarts under an open page is said to be away, and the page goes on when it is back', async () => {
    const page = await dashboard.signedIn(await aPerson(t, 'editor'))
    await page.goto(`${dashboard.url}/recommendations/${id}`)
    await whenLoaded(page)
    const comeBack = await goAway()
    await page.clock.runFor(65_000)
    await page.getByText('not answering').waitFor()
    // What was loaded stays, and what cannot be done is said.
    await page.getByText('Ask for half.').first().waitFor()
    await approve(page)
    await page.getByText('The service does not answer').first().waitFor()
    expect(await statusOf()).toBe('pending')

    await comeBack()
    await page.clock.runFor(65_000)
    await page.getByText('not answering').waitFor({ state: 'detached' })
    await approve(page)
    await expect.poll(statusOf).toBe('approved')
    // The browser itself notes each call that nobody answered; nothing else may be there.
    expect(dashboard.complaints.filter((text) => !text.includes('ERR_CONNECTION_REFUSED'))).toEqual([])
    await page.context().close()
  })

  const approve = (page: Page) => page.getByRole('button', { name: 'Approve' }).first().click()

  async function statusOf(): Promise<string | undefined> {
    const row = await t.db
      .selectFrom('recommendation')
      .select('status')
      .where('recommendation_id', '=', id)
      .executeTakeFirst()
    return row?.status
  }

  /** The same address again, as a new process would have it: nothing in memory, the same database. */
  async function goAway(): Promise<() => Promise<void>> {
    const { port } = new URL(dashboard.url)
    await t.app.close()
    return async () => {
      t.app = await buildApp(t.deps, { webDirectory: builtWeb })
      await t.app.listen({ port: Number(port), host: '127.0.0.1' })
    }
  }
})
