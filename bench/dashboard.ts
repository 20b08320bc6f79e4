// How much the dashboard loads and how soon it shows: npm run bench:dashboard [-- URL EMAIL PASSWORD]
// Without an address it prints the sizes alone. The limit for what the first page loads is 250 kB, compressed.
import { readdirSync, readFileSync } from 'node:fs'
import { gzipSync } from 'node:zlib'
import { openBrowser } from '../scripts/browser.mjs'
import { buildWeb } from '../scripts/build-web.mjs'

const kilobytesMax = 250
const dist = 'packages/web/dist'

await buildWeb()
const zipped = (name: string) => gzipSync(readFileSync(`${dist}/assets/${name}`), { level: 9 }).length / 1000
const page = readFileSync(`${dist}/index.html`, 'utf8')
const files = readdirSync(`${dist}/assets`)
const ofFirst = files.filter((name) => page.includes(name) || name.startsWith('overview-page'))
const scripts = ofFirst.filter((name) => name.endsWith('.js')).reduce((sum, name) => sum + zipped(name), 0)
const styles = ofFirst.filter((name) => name.endsWith('.css')).reduce((sum, name) => sum + zipped(name), 0)
const all = files.filter((name) => name.endsWith('.js')).reduce((sum, name) => sum + zipped(name), 0)
console.log(`scripts of Overview  ${scripts.toFixed(1)} kB gzip, limit ${kilobytesMax} kB`)
console.log(`styles               ${styles.toFixed(1)} kB gzip`)
console.log(`scripts of all pages ${all.toFixed(1)} kB gzip`)
if (scripts > kilobytesMax) process.exitCode = 1

const [url, email, password] = process.argv.slice(2)
if (url !== undefined && email !== undefined && password !== undefined) {
  const browser = await openBrowser()
  const tab = await browser.newPage()
  await tab.goto(`${url}/sign-in`)
  await tab.getByLabel('E-mail address').fill(email)
  await tab.getByLabel('Password').fill(password)
  await tab.getByRole('button', { name: 'Sign in' }).click()
  await tab.getByText('Where the compute money goes').waitFor()
  for (const what of ['with an empty cache of figures', 'again']) {
    await tab.goto(`${url}/`)
    await tab.getByText('Where the compute money goes').waitFor()
    const [paint, numbers] = await tab.evaluate<[number, number]>(
      "[performance.getEntriesByName('first-contentful-paint')[0]?.startTime ?? NaN, performance.now()]",
    )
    console.log(`first paint ${paint.toFixed(0)} ms, numbers ${numbers.toFixed(0)} ms, ${what}`)
  }
  await browser.close()
}
