import axe from 'axe-core'
import type { Browser, BrowserContext, BrowserContextOptions, Page } from 'playwright-core'
import { expect } from 'vitest'
import { hasBrowser, openBrowser } from '../../../scripts/browser.mjs'
import { buildWeb } from '../../../scripts/build-web.mjs'
import { patience } from './patience.ts'
import type { Person } from './people.ts'
import type { TestApp } from './test-app.ts'

export const builtWeb = new URL('../../web/dist/', import.meta.url)
export { hasBrowser }

const desk: BrowserContextOptions = { viewport: { width: 1440, height: 900 } }

/** With a finger and without keys. */
export const phone: BrowserContextOptions = { viewport: { width: 390, height: 844 }, isMobile: true, hasTouch: true }

/** The real pages in a real browser, served by the test's own app. */
export class Dashboard {
  readonly url: string
  readonly #browser: Browser
  readonly #t: TestApp
  /** What the pages said that they should not have to. */
  readonly complaints: string[] = []

  private constructor(url: string, browser: Browser, t: TestApp) {
    this.url = url
    this.#browser = browser
    this.#t = t
  }

  static async open(t: TestApp): Promise<Dashboard> {
    const url = await t.app.listen({ port: 0, host: '127.0.0.1' })
    return new Dashboard(url, await openBrowser(), t)
  }

  static build = buildWeb

  /** Somebody who has never been here. Their clock shows what that of the service shows. */
  async visitor(device: BrowserContextOptions = desk): Promise<Page> {
    const context = await this.#browser.newContext({ ...device, colorScheme: 'light' })
    await context.clock.install({ time: this.#t.clock.now })
    return this.tab(context)
  }

  async tab(context: BrowserContext): Promise<Page> {
    const page = await context.newPage()
    page.setDefaultTimeout(patience.timeout)
    page.on('console', (message) => {
      if (['error', 'warning'].includes(message.type())) this.complaints.push(`${page.url()} ${message.text()}`)
    })
    page.on('pageerror', (error) => this.complaints.push(`${page.url()} ${error.message}`))
    page.on('dialog', (dialog) => {
      this.complaints.push(`${page.url()} opened a dialog: ${dialog.message()}`)
      void dialog.dismiss()
    })
    return page
  }

  /** Somebody who has signed in before; doing so has a journey of its own. */
  async signedIn({ token }: Person, device = desk): Promise<Page> {
    const page = await this.visitor(device)
    const shared = { url: this.url, sameSite: 'Strict' as const }
    await page.context().addCookies([
      { ...shared, name: 'plimsoll_session', value: token, httpOnly: true },
      { ...shared, name: 'plimsoll_signed_in', value: 'signed-in' },
    ])
    return page
  }

  async close(): Promise<void> {
    await this.#browser.close()
  }
}

/** As text: what runs in the page knows nothing of what stands here. */
const judge = `axe.run(document, { runOnly: { type: 'tag', values: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa'] } })
  .then(({ violations }) => violations.map(({ id, nodes }) =>
    id + ': ' + nodes.map(({ html, failureSummary }) => html + ' ' + failureSummary).join(' | ')))`

/** WCAG 2.2 A and AA, as far as a program can judge it. */
export async function expectAccessible(page: Page): Promise<void> {
  await page.evaluate(axe.source)
  expect(await page.evaluate<string[]>(judge), page.url()).toEqual([])
}

/** Values have arrived. */
export async function whenLoaded(page: Page): Promise<void> {
  await page.locator('main h1').waitFor()
  await page.locator('.skeleton').first().waitFor({ state: 'detached' })
}
