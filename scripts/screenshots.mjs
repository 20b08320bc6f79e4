// Pictures of every page, from a running service: node scripts/screenshots.mjs URL EMAIL PASSWORD [directory]
// Light and dark at 1440 and 1024 pixels, and Overview on a phone. The README shows some of them.
import { mkdir } from 'node:fs/promises'
import { openBrowser } from './browser.mjs'

const [url, email, password, directory = 'screenshots'] = process.argv.slice(2)
if (!url || !email || !password) {
  console.error('usage: node scripts/screenshots.mjs URL EMAIL PASSWORD [directory]')
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

async function signedIn(width, theme) {
  const context = await browser.newContext({ viewport: { width, height: 900 }, colorScheme: theme })
  const page = await context.newPage()
  page.on('console', (message) => message.type() === 'error' && console.error(`${page.url()}: ${message.text()}`))
  page.on('pageerror', (error) => console.error(`${page.url()}: ${error.message}`))
  await page.goto(`${url}/sign-in`)
  await page.screenshot({ path: `${directory}/sign-in-${width}-${theme}.png` })
  await page.getByLabel('E-mail address').fill(email)
  await page.getByLabel('Password').fill(password)
  await page.getByRole('button', { name: 'Sign in' }).click()
  await page.getByRole('heading', { name: 'Overview' }).waitFor()
  return page
}

/** The most expensive cluster has most to show. */
async function largestCluster(page) {
  const { clusters } = await (await page.request.get(`${url}/api/v1/clusters`)).json()
  return clusters.sort((a, b) => b.monthly_cost - a.monthly_cost)[0]?.id ?? ''
}

async function firstRecommendation(page) {
  const { recommendations } = await (await page.request.get(`${url}/api/v1/recommendations?limit=1`)).json()
  return recommendations[0]?.id
}

/** A person has a hundred calls a minute; pages that are loaded anew take several each. */
async function untilThereIsRoom(page) {
  const headers = (await page.request.get(`${url}/auth/me`)).headers()
  const waitMs = Number(headers['x-ratelimit-reset']) * 1000 - Date.now()
  if (Number(headers['x-ratelimit-remaining']) < 10) await page.waitForTimeout(Math.max(0, waitMs) + 1000)
}

for (const { theme, width } of shots) {
  const page = await signedIn(width, theme)
  const cluster = await largestCluster(page)
  const recommendation = await firstRecommendation(page)
  const pages = {
    overview: '/',
    recommendations: '/recommendations',
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
  for (const [name, path] of Object.entries(pages)) {
    await untilThereIsRoom(page)
    await page.goto(`${url}${path}`)
    await page.locator('h1').waitFor()
    await page.waitForFunction(() => !document.querySelector('.skeleton'))
    await page.screenshot({ path: `${directory}/${name}-${width}-${theme}.png`, fullPage: true })
  }
  await page.context().close()
}
await browser.close()
console.log(`pictures are in ${directory}`)
