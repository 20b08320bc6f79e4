import { setTimeout } from 'node:timers/promises'
import axe from 'axe-core'
import type { Browser, BrowserContext, BrowserContextOptions, Locator, Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, expect } from 'vitest'
import { hasBrowser, openBrowser, type Fonts } from '../../../scripts/browser.mjs'
import { patience } from './patience.ts'
import type { Person } from './people.ts'
import type { TestApp } from './test-app.ts'

export const builtWeb = new URL('../../web/dist/', import.meta.url)
export { hasBrowser }

const desk: BrowserContextOptions = { viewport: { width: 1440, height: 900 } }

/** A touch screen without a keyboard. */
export const phone: BrowserContextOptions = { viewport: { width: 390, height: 844 }, isMobile: true, hasTouch: true }

const browsers = new Map<Fonts, Promise<Browser>>()

/** One for all files of a worker; a test closes its own tabs. Chromium ends with its parent process. */
function sharedBrowser(fonts: Fonts): Promise<Browser> {
  const browser = browsers.get(fonts) ?? openBrowser({ fonts })
  browsers.set(fonts, browser)
  return browser
}

/** The real pages in a real browser, served by the app of the test. Complaints and open tabs belong to one test. */
export class Dashboard {
  url = ''
  /** Errors, warnings and dialogs of the pages since the test began. */
  complaints: string[] = []
  #allowed: RegExp[] = []
  #browser: Browser | undefined
  readonly #t: TestApp
  /** Contexts that stay open after a test. */
  readonly #kept = new Set<BrowserContext>()

  constructor(t: TestApp) {
    this.#t = t
  }

  async open(fonts: Fonts): Promise<void> {
    this.url = await this.#t.app.listen({ port: 0, host: '127.0.0.1' })
    this.#browser = await sharedBrowser(fonts)
  }

  /** A new visitor. The clock of the browser is that of the service. */
  async visitor(device: BrowserContextOptions = desk): Promise<Page> {
    return this.tab(await this.#newContext(device))
  }

  async #newContext(device: BrowserContextOptions): Promise<BrowserContext> {
    if (!this.#browser) throw new Error('The browser is not open.')
    // Without motion: animation frames take a fifth of the time of the browser.
    const context = await this.#browser.newContext({ ...device, colorScheme: 'light', reducedMotion: 'reduce' })
    // On the context, so that it applies to tabs that a page opens too.
    context.setDefaultTimeout(patience.timeout)
    await context.clock.install({ time: this.#t.clock.now })
    return context
  }

  async tab(context: BrowserContext): Promise<Page> {
    const page = await context.newPage()
    const isKept = this.#kept.has(context)
    const own = this.complaints
    const complain = (text: string) => (isKept ? this.complaints : own).push(`${page.url()} ${text}`)
    page.on('console', (message) => {
      if (['error', 'warning'].includes(message.type())) complain(message.text())
    })
    page.on('pageerror', (error) => complain(error.message))
    page.on('dialog', (dialog) => {
      complain(`opened a dialog: ${dialog.message()}`)
      void dialog.dismiss()
    })
    return page
  }

  /** A signed-in user; signing in has its own test. */
  async signedIn(person: Person, device = desk): Promise<Page> {
    const context = await this.#newContext(device)
    await this.#signIn(context, person)
    return this.tab(context)
  }

  /** A tab of a signed-in user that several tests use. */
  async keptTab(person: Person): Promise<Page> {
    const context = await this.#newContext(desk)
    this.#kept.add(context)
    await this.#signIn(context, person)
    return this.tab(context)
  }

  async #signIn(context: BrowserContext, { token }: Person): Promise<void> {
    const shared = { url: this.url, sameSite: 'Strict' as const }
    await context.addCookies([
      { ...shared, name: 'plimsoll_session', value: token, httpOnly: true },
      { ...shared, name: 'plimsoll_signed_in', value: 'signed-in' },
    ])
  }

  /** Expected complaints of this test: Chromium logs every failed call. */
  allowComplaints(pattern: RegExp): void {
    this.#allowed.push(pattern)
  }

  /** Closes the tabs of the test and returns its unexpected complaints. The next test starts with none. */
  async endTest(): Promise<string[]> {
    const unexpected = this.complaints.filter((text) => !this.#allowed.some((pattern) => pattern.test(text)))
    // A late console message of a tab belongs to the list of its own test.
    this.complaints = []
    this.#allowed = []
    const ended = (this.#browser?.contexts() ?? []).filter((context) => !this.#kept.has(context))
    await Promise.all(ended.map((context) => context.close()))
    return unexpected
  }
}

/** A dashboard for a test file. A test fails when its pages log complaints. */
export function useDashboard(t: TestApp, { fonts = 'project' }: { fonts?: Fonts } = {}): Dashboard {
  const dashboard = new Dashboard(t)
  beforeAll(() => dashboard.open(fonts))
  afterEach(async () => {
    expect(await dashboard.endTest(), 'what the pages complained about').toEqual([])
  })
  return dashboard
}

/**
 * A function that opens a page in the tab of one user, which the tests of a file share: loading the dashboard takes longer
 * than most of them. For tests that change neither the clock nor the session nor routes of the browser, and no data outside
 * of the page: the tab keeps answers for half a minute.
 */
export function useSharedTab(dashboard: Dashboard, user: () => Promise<Person>): (path: string) => Promise<Page> {
  let tab: Page | undefined
  afterAll(() => tab?.context().close())
  return async (path) => {
    tab ??= await dashboard.keptTab(await user())
    if (desk.viewport) await tab.setViewportSize(desk.viewport)
    // Another page first: the page of the test before has open dialogs and selected rows.
    await follow(tab, `${dashboard.url}/settings/profile`)
    await follow(tab, `${dashboard.url}${path}`)
    return tab
  }
}

/** As text, because code in the page cannot use variables of this file. */
const judge = `axe.run(document, {
  runOnly: { type: 'tag', values: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa'] },
  // Details of passed checks take most of the time of axe.
  resultTypes: ['violations'],
})
  .then(({ violations }) => violations.map(({ id, nodes }) =>
    id + ': ' + nodes.map(({ html, failureSummary }) => html + ' ' + failureSummary).join(' | ')))`

/** WCAG 2.2 A and AA, as far as a program can check it. */
export async function expectAccessible(page: Page): Promise<void> {
  if (!(await page.evaluate<boolean>(`'axe' in window`))) await page.evaluate(axe.source)
  expect(await page.evaluate<string[]>(judge), page.url()).toEqual([])
}

/**
 * Goes to another page of the open dashboard as a link does. The bundle stays loaded, so this takes a fifth of the time of
 * `page.goto`. Each page sets the title of the document when the page appears. A tab without a dashboard loads it.
 */
export async function follow(page: Page, address: string): Promise<void> {
  if (page.url() === 'about:blank') await page.goto(address)
  else await pushAddress(page, address)
  await whenLoaded(page)
}

async function pushAddress(page: Page, address: string): Promise<void> {
  const [from, to] = [new URL(page.url()), new URL(address, page.url())]
  if (from.href === to.href) return
  const push = `history.pushState({}, '', ${JSON.stringify(to.href)})`
  if (from.pathname === to.pathname) return void (await page.evaluate(push))
  await page.evaluate(`document.title = ''; ${push}`)
  await expect.poll(() => page.title(), { ...patience, message: address }).not.toBe('')
}

/** Clicks a link to another page and waits for that page. Right after the click, the page before is still in the document. */
export async function clickThrough(page: Page, link: Locator): Promise<void> {
  const target = new URL((await link.getAttribute('href')) ?? '', page.url())
  if (target.pathname === new URL(page.url()).pathname) return await link.click()
  await page.evaluate(`document.title = ''`)
  await link.click()
  await expect.poll(() => page.title(), { ...patience, message: target.pathname }).not.toBe('')
  await whenLoaded(page)
}

/** Values have arrived. */
export async function whenLoaded(page: Page): Promise<void> {
  await page.locator('main h1').waitFor()
  await page.locator('.skeleton').first().waitFor({ state: 'detached' })
}

/** Delays responses, so that a second click comes first. */
export const slowly = (page: Page, path: string) =>
  page.route(path, async (route) => {
    const response = await route.fetch()
    await setTimeout(300)
    await route.fulfill({ response })
  })
