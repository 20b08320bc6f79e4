import { rateLimits } from '@plimsoll/contract'
import { endSecond, twoNodesWithCloudResources } from '@plimsoll/pipeline/testing'
import type { Locator, Request } from 'playwright-core'
import { describe, expect, test } from 'vitest'
import { builtWeb, clickThrough, hasBrowser, useDashboard, whenLoaded } from './browser.ts'
import { aFinding, analysed } from './findings.ts'
import { aFoldedCluster } from './folded-cluster.ts'
import { patience } from './patience.ts'
import { aPerson } from './people.ts'
import { useTestApp } from './test-app.ts'

const isCall = (request: Request) => /\/(api|auth)\//.test(request.url())

/** Without a Chromium on this machine this test is skipped. */
describe.skipIf(!hasBrowser)('the dashboard within the rate limits of the service', () => {
  const t = useTestApp({ webDirectory: builtWeb, limits: rateLimits })
  const dashboard = useDashboard(t)

  test('a click on every link between pages returns no 429', async () => {
    t.clock.now = new Date(endSecond * 1000)
    const { clusterId, name } = await aFoldedCluster(t, twoNodesWithCloudResources)
    await analysed(t, clusterId, { findings: [aFinding({ name: 'web' })] })
    const page = await dashboard.signedIn(await aPerson(t))
    const answers: { path: string; status: number }[] = []
    page.on('response', (response) => {
      if (isCall(response.request())) answers.push({ path: response.url(), status: response.status() })
    })
    let sent = 0
    page.on('request', (request) => (sent += isCall(request) ? 1 : 0))
    const whenAnswered = () => expect.poll(() => sent - answers.length, patience).toBe(0)
    const open = async (link: Locator) => {
      await clickThrough(page, link)
      await whenAnswered()
    }
    await page.goto(dashboard.url)
    await whenLoaded(page)
    const pages = page.getByRole('navigation', { name: 'Pages' }).getByRole('listitem').getByRole('link')
    const sections = page.getByRole('navigation', { name: 'Settings' }).getByRole('link')
    const within: Record<string, Locator[]> = {
      '/recommendations': [page.getByRole('link', { name: /^All \d/ }), page.getByRole('link', { name: 'shop/web' })],
      '/clusters': [page.getByRole('link', { name })],
    }
    for (let index = 0; index < (await pages.count()); index++) {
      await open(pages.nth(index))
      for (const inner of within[new URL(page.url()).pathname] ?? []) await open(inner)
    }
    // The settings are the last page of the menu.
    await sections.first().waitFor()
    for (let index = 0; index < (await sections.count()); index++) await open(sections.nth(index))

    expect(answers.filter(({ status }) => status === 429)).toEqual([])
    expect(answers.length).toBeGreaterThan(15)
    // A second round within the same minute succeeds too.
    expect(answers.length).toBeLessThan(rateLimits.person / 2)
    await page.context().close()
  })
})
