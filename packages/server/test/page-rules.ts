import type { Page } from 'playwright-core'
import { expect } from 'vitest'
import { follow } from './browser.ts'

/** As text: the browser runs it without access to this file. */
const unitsElsewhere = `(() => {
  const copy = document.querySelector('main').cloneNode(true)
  for (const code of copy.querySelectorAll('pre, code')) code.remove()
  return copy.textContent.match(/\\d\\s?(?:[KMGT]i|[kKMGT]B)\\b/g) ?? []
})()`

/** Sizes read 512 MiB and 3.3 GiB; only manifests and commands write them as Kubernetes does. */
export async function expectUnitsAlike(page: Page): Promise<void> {
  expect(await page.evaluate<string[]>(unitsElsewhere), page.url()).toEqual([])
}

/** A4 landscape without its margins, in CSS pixels. */
const paper = { width: 1047, height: 718 }

/** Elements of the content that are clipped, and elements that extend beyond the paper. */
const cutOnPaper = `[...document.querySelectorAll('main, main *')].filter((each) => {
  const style = getComputedStyle(each)
  if (style.display === 'none' || each.closest('.sr-only') || each.closest('svg') !== each && each.closest('svg')) return false
  const hides = /hidden|auto|scroll|clip/.test(style.overflowX)
  const box = each.getBoundingClientRect()
  return hides && each.scrollWidth > each.clientWidth + 1 && box.width > 1 || box.width > 0 && box.right > innerWidth + 1
}).map((each) => each.tagName + '.' + each.className + ' ' + each.textContent.slice(0, 60))`

const shownControls = `[...document.querySelectorAll('nav.nav, header.top, .page-actions, .floating-bar')]
  .filter((each) => each.getClientRects().length > 0).map((each) => each.className)`

const noteHidden = `document.querySelectorAll('main .rec-row *').forEach((each) => {
  if (getComputedStyle(each).display === 'none') each.dataset.hiddenOnScreen = 'yes'
})`

const shownOnPaperAlone = `[...document.querySelectorAll('main [data-hidden-on-screen]')]
  .filter((each) => getComputedStyle(each).display !== 'none').map((each) => each.className + ' ' + each.textContent)`

/** In print, a page has no navigation, nothing is clipped, and text is dark on white in either theme. */
export async function expectPrintable(page: Page): Promise<void> {
  const screen = page.viewportSize()
  await page.setViewportSize(paper)
  await page.evaluate(noteHidden)
  await page.emulateMedia({ media: 'print' })
  await expect.poll(() => page.evaluate<string[]>(cutOnPaper), { message: page.url() }).toEqual([])
  expect(await page.evaluate<string[]>(shownControls), page.url()).toEqual([])
  // A cell without a column would break its row.
  expect(await page.evaluate<string[]>(shownOnPaperAlone), page.url()).toEqual([])
  expect(await page.evaluate<string>('getComputedStyle(document.body).backgroundColor')).toBe('rgb(255, 255, 255)')
  await page.emulateMedia({ media: 'screen' })
  if (screen) await page.setViewportSize(screen)
}

/** A history shows the time of each entry with its time zone. */
export async function expectTimes(page: Page, section: string): Promise<void> {
  const times = await page.getByRole('region', { name: section }).locator('time').allTextContents()
  expect(times.length, section).toBeGreaterThan(0)
  for (const time of times) expect(time).toMatch(/\d\d:\d\d [A-Z]/)
}

/** Before the first data the state is unknown. */
export async function expectNoTick(page: Page, url: string, paths: readonly string[]): Promise<void> {
  for (const path of paths) {
    await follow(page, `${url}${path}`)
    expect(await page.locator('main .tone-ok, main .text-ok').count(), path).toBe(0)
  }
}

const linksOf = `[...document.querySelectorAll('a[href^="/"]')].map((link) => new URL(link.href).pathname + new URL(link.href).search)`

/** Pages of the dashboard that links lead to; one of many recommendations is enough. */
export async function expectNoClosedDoor(page: Page, url: string): Promise<string[]> {
  const seen = new Map<string, string>()
  const ahead = ['/']
  for (let path = ahead.shift(); path !== undefined; path = ahead.shift()) {
    await follow(page, `${url}${path}`)
    await page.waitForLoadState('networkidle')
    expect(await page.getByText(/ requires? [a-z_]+:[a-z]+|Your role has no access/).allTextContents(), path).toEqual(
      [],
    )
    for (const link of await page.evaluate<string[]>(linksOf)) {
      const kind = link.replace(/\?.*/, '').replace(/(rec|cls)_\w+/, '$1')
      if (seen.has(kind) || kind.startsWith('/docs')) continue
      seen.set(kind, link)
      ahead.push(link)
    }
  }
  return [...seen.keys()].sort()
}
