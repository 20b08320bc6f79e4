// Screenshots of a running service: PLIMSOLL_PASSWORD=… node scripts/screenshots.mjs URL EMAIL [directory] [--readme]
// Every page, light and dark at 1440 pixels, light at 1024 and on a phone; or only those of the README.
import { mkdir } from 'node:fs/promises'
import { parseArgs } from 'node:util'
import { openBrowser } from './browser.mjs'

const { values, positionals } = parseArgs({ allowPositionals: true, options: { readme: { type: 'boolean' } } })
const [url, email, directory = values.readme ? 'docs/images' : 'screenshots'] = positionals
// Not an argument, because every process of the machine can read the arguments of a command.
const password = process.env.PLIMSOLL_PASSWORD
if (!url || !email || !password) {
  console.error('usage: PLIMSOLL_PASSWORD=… node scripts/screenshots.mjs URL EMAIL [directory] [--readme]')
  process.exit(1)
}
await mkdir(directory, { recursive: true })

const browser = await openBrowser()
const shots = [
  { theme: 'light', width: 1440 },
  { theme: 'dark', width: 1440 },
  { theme: 'light', width: 1024 },
  { theme: 'light', width: 390 },
]

/** The screenshots of the README show only the top of a page, so that it can be read at a glance. */
const ofReadme = [
  { name: 'overview', page: 'overview', theme: 'light', width: 1440, height: 1000 },
  { name: 'overview-dark', page: 'overview', theme: 'dark', width: 1440, height: 1000 },
  { name: 'recommendation', page: 'recommendation', theme: 'light', width: 1440, height: 1300 },
  { name: 'savings', page: 'savings', theme: 'light', width: 1440, height: 900 },
  { name: 'phone', page: 'overview', theme: 'light', width: 390, height: 844 },
]

async function signedIn(width, theme, height = 900) {
  const context = await browser.newContext({ viewport: { width, height }, colorScheme: theme })
  const page = await context.newPage()
  page.on('console', (message) => message.type() === 'error' && console.error(`${page.url()}: ${message.text()}`))
  page.on('pageerror', (error) => console.error(`${page.url()}: ${error.message}`))
  await page.goto(`${url}/sign-in`)
  if (!values.readme) await page.screenshot({ path: `${directory}/sign-in-${width}-${theme}.png` })
  await page.getByLabel('E-mail address').fill(email)
  await page.getByLabel('Password').fill(password)
  await page.getByRole('button', { name: 'Sign in' }).click()
  await page.getByRole('heading', { name: 'Overview' }).waitFor()
  return page
}

/** The most expensive cluster has the most data. */
async function largestCluster(page) {
  const { clusters } = await (await page.request.get(`${url}/api/v1/clusters`)).json()
  return clusters.sort((a, b) => b.monthly_cost - a.monthly_cost)[0]?.id ?? ''
}

/**
 * A right-sizing recommendation shows the most: usage over time, safety margin and manifest. The demo workload with day
 * and night load shows it best.
 */
async function firstRecommendation(page) {
  const resizes = `${url}/api/v1/recommendations?limit=1&status=pending&category=cpu_memory`
  for (const query of ['&workload=cart', '']) {
    const { recommendations } = await (await page.request.get(`${resizes}${query}`)).json()
    if (recommendations[0]) return recommendations[0].id
  }
}

/** The rate limit is a hundred calls per minute; each page load takes several. */
async function awaitRateLimit(page) {
  const headers = (await page.request.get(`${url}/auth/me`)).headers()
  const waitMs = Number(headers['x-ratelimit-reset']) * 1000 - Date.now()
  if (Number(headers['x-ratelimit-remaining']) < 10) await page.waitForTimeout(Math.max(0, waitMs) + 1000)
}

async function pathsOf(page) {
  const cluster = await largestCluster(page)
  const recommendation = await firstRecommendation(page)
  return {
    overview: '/',
    recommendations: '/recommendations',
    'recommendations-all': '/recommendations?view=all',
    ...(recommendation ? { recommendation: `/recommendations/${recommendation}` } : {}),
    allocation: '/allocation?window=30d',
    efficiency: `/efficiency?cluster=${cluster}`,
    nodes: `/nodes?cluster=${cluster}`,
    savings: '/savings',
    clusters: '/clusters',
    cluster: `/clusters/${cluster}`,
    'new-cluster': '/clusters/new',
    'settings-profile': '/settings/profile',
    'settings-api-tokens': '/settings/api-tokens',
    'settings-users': '/settings/users',
    'settings-roles': '/settings/roles',
    'settings-prices': `/settings/prices?cluster=${cluster}`,
    'settings-policies': `/settings/policies?cluster=${cluster}`,
    'settings-audit': '/settings/audit',
  }
}

async function shoot(page, path, file, fullPage) {
  await awaitRateLimit(page)
  await page.goto(`${url}${path}`)
  await page.locator('h1').waitFor()
  await page.waitForFunction(() => !document.querySelector('.skeleton, [aria-busy=true]'))
  await page.screenshot({ path: `${directory}/${file}.png`, fullPage })
}

async function shootAll() {
  for (const { theme, width } of shots) {
    const page = await signedIn(width, theme)
    for (const [name, path] of Object.entries(await pathsOf(page))) {
      await shoot(page, path, `${name}-${width}-${theme}`, true)
    }
    await page.context().close()
  }
}

async function shootReadme() {
  for (const { name, page: which, theme, width, height } of ofReadme) {
    const page = await signedIn(width, theme, height)
    const path = (await pathsOf(page))[which]
    if (path !== undefined) await shoot(page, path, name, false)
    await page.context().close()
  }
}

await (values.readme ? shootReadme() : shootAll())
await browser.close()
console.log(`screenshots are in ${directory}`)
