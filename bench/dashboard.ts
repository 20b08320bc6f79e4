// Download size, load time and scrolling of the dashboard:
//   PLIMSOLL_PASSWORD=… npm run bench:dashboard -- [URL EMAIL] [--rows 30000]
// Without a URL it does not measure load time; without rows it does not measure scrolling. The limit for the first page
// is 250 kB, compressed.
import { readdirSync, readFileSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { gzipSync } from 'node:zlib'
import type { Browser, Page } from 'playwright-core'
import { insertCluster } from '../packages/server/src/clusters/queries/clusters.ts'
import { newId } from '../packages/server/src/platform/ids.ts'
import { openBrowser } from '../scripts/browser.mjs'
import { buildWeb } from '../scripts/build-web.mjs'
import { admin, BenchServer, clearLimits, percentile } from './lib/bench-server.ts'
import { findingOf, store } from './lib/many-findings.ts'
import { loadRows, scrollFrames } from './lib/scroll-frames.ts'

const kilobytesMax = 250
const fewRows = 300
const dist = 'packages/web/dist'

const { positionals, values } = parseArgs({ allowPositionals: true, options: { rows: { type: 'string' } } })

await buildWeb()
printSizes()
const [url, email] = positionals
// Not an argument, because every process of the machine can read the arguments of a command.
const password = process.env.PLIMSOLL_PASSWORD
if (url !== undefined && (email === undefined || password === undefined)) {
  console.error('usage: PLIMSOLL_PASSWORD=… npm run bench:dashboard -- [URL EMAIL] [--rows 30000]')
  process.exit(1)
}
if (url !== undefined || values.rows !== undefined) {
  const browser = await openBrowser()
  if (url !== undefined && email !== undefined && password !== undefined)
    await firstPaint(browser, url, email, password)
  if (values.rows !== undefined) await scrolling(browser, Number(values.rows))
  await browser.close()
}

function printSizes(): void {
  const zipped = (name: string) => gzipSync(readFileSync(`${dist}/assets/${name}`), { level: 9 }).length / 1000
  const page = readFileSync(`${dist}/index.html`, 'utf8')
  const files = readdirSync(`${dist}/assets`)
  const ofFirst = files.filter((name) => page.includes(name) || name.startsWith('overview-page'))
  const sum = (names: readonly string[], ending: string) =>
    names.filter((name) => name.endsWith(ending)).reduce((total, name) => total + zipped(name), 0)
  console.log(`scripts of Overview  ${sum(ofFirst, '.js').toFixed(1)} kB gzip, limit ${kilobytesMax} kB`)
  console.log(`styles               ${sum(ofFirst, '.css').toFixed(1)} kB gzip`)
  console.log(`scripts of all pages ${sum(files, '.js').toFixed(1)} kB gzip`)
  if (sum(ofFirst, '.js') > kilobytesMax) process.exitCode = 1
}

async function signIn(browser: Browser, base: string, account: { email: string; password: string }): Promise<Page> {
  const tab = await browser.newPage({ viewport: { width: 1440, height: 900 } })
  await tab.goto(`${base}/sign-in`)
  await tab.getByLabel('E-mail address').fill(account.email)
  await tab.getByLabel('Password').fill(account.password)
  await tab.getByRole('button', { name: 'Sign in' }).click()
  await tab.locator('main h1').waitFor()
  return tab
}

async function firstPaint(browser: Browser, base: string, email: string, password: string): Promise<void> {
  const tab = await signIn(browser, base, { email, password })
  for (const what of ['with an empty figure cache', 'again']) {
    await tab.goto(`${base}/`)
    await tab.getByText('Compute cost by use').waitFor()
    const [paint, numbers] = await tab.evaluate<[number, number]>(
      "[performance.getEntriesByName('first-contentful-paint')[0]?.startTime ?? NaN, performance.now()]",
    )
    console.log(`first paint ${paint.toFixed(0)} ms, numbers ${numbers.toFixed(0)} ms, ${what}`)
  }
  await tab.close()
}

/** Few and many rows in the same run: the frame time must not depend on the number of rows. */
async function scrolling(browser: Browser, manyRows: number): Promise<void> {
  const server = await BenchServer.start()
  const { db, close } = await server.openDatabase()
  try {
    const tab = await signIn(browser, server.base, admin)
    for (const rows of [fewRows, manyRows]) {
      const now = new Date()
      const clusterId = newId('cls', now)
      await insertCluster(db, { clusterId, name: `with ${rows}`, provider: 'aws', region: 'eu-central-1', now })
      const findings = Array.from({ length: rows }, (_, index) => findingOf(index))
      await store(db, clusterId, findings, now)
      await clearLimits(db)
      await tab.goto(`${server.base}/recommendations?cluster=${clusterId}`)
      await tab.getByRole('row').nth(5).waitFor()
      await loadRows(tab, rows, () => clearLimits(db))
      const frames = await scrollFrames(tab)
      const at = (share: number) => `${percentile(frames, share).toFixed(1)} ms`
      console.log(`scrolling ${rows} rows: frames p50 ${at(0.5)}, p95 ${at(0.95)}, p99 ${at(0.99)}`)
    }
  } finally {
    await close()
    await server.stop()
  }
}
