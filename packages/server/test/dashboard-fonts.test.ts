import type { Page } from 'playwright-core'
import { beforeAll, describe, expect, test } from 'vitest'
import { isFull } from '../../../test/rounds.ts'
import { fontFamilies, hasMachineFonts } from '../../../scripts/browser-fonts.mjs'
import type { Fonts } from '../../../scripts/browser.mjs'
import { follow, hasBrowser, whenLoaded } from './browser.ts'
import { useFilledDashboard, type FilledDashboard } from './filled-dashboard.ts'
import { idsOf } from './findings.ts'
import { cutOff, drawnFonts, widerThanPage, smallTargets, useFont } from './page-measures.ts'
import { patience } from './patience.ts'
import { aPerson, type Person } from './people.ts'

const widths = [360, 390, 768, 1280, 1440, 1920]

/** Phones and desktops have different controls; other widths only move them. */
const targetWidths = [390, 1440]

const ownFont = 'the font of the machine'

/** Text in this font is wider than in the others. */
const widestFont = 'DejaVu Sans'

/** The narrowest phone, the narrowest desktop, and the widths that measure controls. */
const shortWidths = [360, 1280, ...targetWidths]

/** A full run measures every font at every width. A short run measures the widest font, which overflows first. */
const isMeasured = (font: string, width: number) => isFull || (font === widestFont && shortWidths.includes(width))

/** Elements of a page that must not be clipped from a width on, and elements that every width shows. */
type Layout = { path: string; isLoaded?: boolean; whole?: string; fromWidth?: number; shown?: readonly string[] }

const layouts: Layout[] = [
  { path: '/', whole: '.table-scroll, .table th', fromWidth: 1280 },
  {
    path: '/recommendations?view=all',
    whole: '.rec-one .rec-change',
    shown: ['.rec-change', '.rec-risk', '.rec-bankable', '.rec-estimated'].map((cell) => `.rec-one ${cell}`),
  },
  { path: '/recommendations' },
  { path: '/recommendations/ID' },
  { path: '/allocation', whole: '.table-scroll, .table th', fromWidth: 1280 },
  { path: '/allocation?by=node', isLoaded: true, whole: '.table-scroll, .table th', fromWidth: 1280 },
  { path: '/efficiency' },
  { path: '/nodes' },
  { path: '/savings' },
  { path: '/statements' },
  { path: '/clusters', whole: '.table-scroll, .table th', fromWidth: 1280 },
  { path: '/clusters/CLUSTER' },
  { path: '/settings/profile' },
  { path: '/settings/api-tokens' },
  { path: '/settings/users' },
  { path: '/settings/roles', whole: '.table-scroll' },
  { path: '/settings/teams' },
  { path: '/settings/alerts' },
  { path: '/settings/prices' },
  { path: '/settings/policies' },
  { path: '/settings/audit' },
  { path: '/docs', isLoaded: true, whole: 'table:not(.matrix), html' },
]

type Place = FilledDashboard & { admin: Person; ids: { ID: string; CLUSTER: string } }

function usePlace(fonts: Fonts): Place {
  const place = useFilledDashboard({ fonts }) as Place
  beforeAll(async () => {
    const { clusterId } = place.cluster
    place.ids = { ID: (await idsOf(place.t, clusterId)).lake ?? '', CLUSTER: clusterId }
    place.admin = await aPerson(place.t)
  })
  return place
}

const addressOf = ({ ids }: Place, path: string) => path.replace(/ID|CLUSTER/, (name) => ids[name as keyof typeof ids])

/** Opens the dashboard once and follows its links. The documentation and another grouping are separate pages. */
async function expectNoProblems(place: Place, fonts: readonly string[]): Promise<void> {
  const page = await place.dashboard.signedIn(place.admin)
  await page.goto(place.dashboard.url)
  await whenLoaded(page)
  for (const layout of layouts) {
    const address = addressOf(place, layout.path)
    if (layout.isLoaded === true) await page.goto(place.dashboard.url + address)
    else await follow(page, address)
    if (layout.path !== '/docs') await whenLoaded(page)
    await expectFits(page, layout, fonts)
  }
}

/** Charts and tables measure themselves after a change of the window, so the page gets time to settle. */
async function expectFits(page: Page, layout: Layout, fonts: readonly string[]): Promise<void> {
  for (const width of widths) {
    const measured = fonts.filter((font) => isMeasured(font, width))
    if (measured.length > 0) await page.setViewportSize({ width, height: 900 })
    for (const font of measured) {
      if (font !== ownFont) await useFont(page, font)
      await page.clock.runFor(100)
      await expect
        .poll(() => problemsOf(page, layout, width), {
          ...patience,
          message: `${layout.path} in ${font} at ${width} px`,
        })
        .toEqual([])
    }
  }
}

async function problemsOf(page: Page, layout: Layout, width: number): Promise<string[]> {
  const { path, whole, fromWidth = 0, shown = [] } = layout
  const wide = await widerThanPage(page)
  const visible = await Promise.all(shown.map((selector) => page.locator(selector).first().isVisible()))
  const cut = whole !== undefined && width >= fromWidth ? await cutOff(page, whole) : []
  // The documentation is text: its links are lines of lists.
  const small = path !== '/docs' && targetWidths.includes(width) ? await smallTargets(page) : []
  return [
    ...wide.map((text) => `wider than the page: ${text}`),
    ...shown.filter((_selector, index) => !visible[index]).map((selector) => `hidden: ${selector}`),
    ...cut.map((text) => `cut: ${text}`),
    ...small.map((text) => `small: ${text}`),
  ]
}

/** Without a Chromium on this machine these tests are skipped. */
describe.skipIf(!hasBrowser || process.platform !== 'linux')('pages in the fonts of the project', () => {
  const place = usePlace('project')

  test('each font is drawn, not a substitute', async () => {
    const page = await place.dashboard.signedIn(place.admin)
    await page.goto(place.dashboard.url)
    await whenLoaded(page)
    expect(await drawnFonts(page, '.nav-foot a')).toEqual([fontFamilies[0]])
    for (const family of fontFamilies) {
      await useFont(page, family)
      // The browser lays out the page again after the font change.
      await expect.poll(() => drawnFonts(page, '.nav-foot a'), patience).toEqual([family])
    }
  })

  test('no page is wider than its window, and controls are at least 24 px', () => expectNoProblems(place, fontFamilies))
})

/** Only in a full run: the fonts of a machine are rarely wider than the widest font of the project. */
describe.skipIf(!hasBrowser || !hasMachineFonts || !isFull)("pages in this machine's own fonts", () => {
  const place = usePlace('machine')

  test('no page is wider than its window, and controls are at least 24 px', async () => {
    const page = await place.dashboard.signedIn(place.admin)
    await page.goto(place.dashboard.url)
    await whenLoaded(page)
    expect(await drawnFonts(page, 'h1')).not.toEqual([])
    await expectNoProblems(place, [ownFont])
  })
})
