import { builtInRoles, type CreatedCluster, type Permission } from '@plimsoll/contract'
import { decimal } from '@plimsoll/engine'
import type { Page, Request } from 'playwright-core'
import { beforeAll, describe, expect, test } from 'vitest'
import { azureOffice, openWorld, Random, runAgent, SimulatedAgent } from '../../simulator/src/index.ts'
import { makeOneTimeLink } from '../src/platform/auth/one-time-code.ts'
import { fold } from '../src/ingest/jobs/fold.ts'
import { builtWeb, expectAccessible, follow, hasBrowser, useDashboard } from './browser.ts'
import { aFinding } from './findings.ts'
import { aFoldedCluster, type FoldedCluster } from './folded-cluster.ts'
import { endSecond, twoNodesWithCloudResources } from '@plimsoll/pipeline/testing'
import { isFull } from '../../../test/rounds.ts'
import { aPerson, aRole, password } from './people.ts'
import { expectNoClosedDoor, expectNoTick, expectPrintable, expectTimes, expectUnitsAlike } from './page-rules.ts'
import { planned } from './planned.ts'
import { send, useTestApp } from './test-app.ts'

const noPause = async () => undefined
const hostile = '<img src=x onerror=alert(1)>'
const sharedCalls = ['/auth/me', '/api/v1/clusters', '/api/v1/rules']
const isCall = (request: Request) => /\/(api|auth)\//.test(request.url())
const button = (page: Page, name: string | RegExp) => page.getByRole('button', { name })
const emptyPages = [
  '/',
  '/recommendations',
  '/allocation',
  '/efficiency',
  '/nodes',
  '/savings',
  '/budgets',
  '/statements',
  '/clusters',
  '/settings/users',
]

/** Without a Chromium on this machine these tests are skipped. */
describe.skipIf(!hasBrowser)('the dashboard of an empty installation', () => {
  const t = useTestApp({ webDirectory: builtWeb })
  const dashboard = useDashboard(t)

  test('from the link of the first start to a reporting cluster', async () => {
    t.clock.now = new Date(endSecond * 1000)
    const { link } = await makeOneTimeLink(t.deps, t.db, null)
    const page = await dashboard.visitor()
    await page.goto(`${dashboard.url}/welcome${new URL(link).hash}`)
    await expectAccessible(page)
    await page.getByLabel('E-mail address').fill('ada@example.com')
    await page.getByLabel('Password').fill(password)
    await button(page, 'Set password and sign in').click()

    await page.getByRole('heading', { level: 1, name: 'Add cluster' }).waitFor()
    // No cluster is connected.
    await expectNoTick(page, dashboard.url, emptyPages)
    await follow(page, `${dashboard.url}/clusters/new`)
    await page.getByRole('textbox', { name: 'Name' }).fill('prod-eu')
    const answer = page.waitForResponse(
      (response) => response.url().endsWith('/api/v1/clusters') && response.status() === 201,
    )
    await button(page, 'Create cluster').click()
    const created = (await (await answer).json()) as CreatedCluster
    await page.getByText('The token has not been used').waitFor()
    const command = (await page.locator('pre').textContent()) ?? ''
    expect(command).toContain(created.agent_token)
    await expectAccessible(page)
    const before = await dashboard.tab(page.context())
    // The cluster has never reported.
    await expectNoTick(before, dashboard.url, [...emptyPages, `/clusters/${created.id}`])
    await before.close()

    const agent = new SimulatedAgent(openWorld(azureOffice, endSecond - 600))
    const target = { url: dashboard.url, token: created.agent_token ?? '', random: new Random(1), sleep: noPause }
    const report = await runAgent(agent, target, { pace: 'fast', now: () => endSecond, minutes: 5 })
    expect(report.stopped).toBe('done')
    await fold(t.deps, { clusterId: created.id })
    await page.clock.runFor(11_000)
    await page.getByText(/^6 nodes, \d+ pods$/).waitFor()
    await page.getByRole('link', { name: 'Overview' }).click()
    // An open dashboard asks again once a minute.
    await page.clock.runFor(60_000)
    await page.getByText('Compute cost by usage').waitFor()
    // A later visit shows the same command, and can create a new token for it.
    await page.goto(`${dashboard.url}/clusters/${created.id}`)
    const again = page.locator('pre')
    await again.filter({ hasText: 'YOUR-AGENT-TOKEN' }).waitFor()
    expect(await again.textContent()).toBe(command.replace(created.agent_token ?? '', 'YOUR-AGENT-TOKEN'))
    await button(page, 'Create token').click()
    await page.getByText('The command contains a new token.').waitFor()
    const fresh = /printf %s '(pla_[^']+)'/.exec((await again.textContent()) ?? '')?.[1]
    expect(fresh).not.toBe(created.agent_token)
    await expect.poll(() => button(page, 'Revoke').count()).toBe(2)
    await page.context().close()
  })
})

/** One browser and one service. Each test is the journey of one user. */
describe.skipIf(!hasBrowser)('the dashboard', () => {
  const t = useTestApp({ webDirectory: builtWeb })
  const dashboard = useDashboard(t)
  let cluster: FoldedCluster

  beforeAll(async () => {
    t.clock.now = new Date(endSecond * 1000)
    cluster = await aFoldedCluster(t, twoNodesWithCloudResources)
    const names = [
      hostile,
      ...Array.from({ length: 12 }, (_each, index) => `service-${String(index).padStart(2, '0')}`),
    ]
    const findings = names.map((name, index) =>
      aFinding({ name, estimatedUsdPerMonth: 100 - index, bankableUsdPerMonth: 50 - index }),
    )
    const node = {
      name: 'ip-10-0-0-1',
      pool: 'general',
      instanceType: 'm6i.4xlarge',
      usdPerMonth: decimal('147'),
      replacedBy: null,
    }
    await planned(t, cluster.clusterId, [
      { title: 'Lower 3 requests in shop', findings: findings.slice(0, 3), shares: ['50', '49', '48'], nodes: [node] },
      { kind: 'rest', findings: findings.slice(3), shares: [] },
    ])
  })

  test('every page passes axe and logs nothing to the console', async () => {
    const page = await dashboard.signedIn(await aPerson(t))
    const answer = await page.request.get(`${dashboard.url}/api/v1/recommendations?limit=1`)
    const [first] = ((await answer.json()) as { recommendations: { id: string }[] }).recommendations
    const picked = `cluster=${cluster.clusterId}`
    const paths = [
      `/?${picked}`,
      '/recommendations',
      '/recommendations?view=all',
      `/recommendations/${first?.id}`,
      `/allocation?${picked}`,
      `/efficiency?${picked}`,
      `/nodes?${picked}`,
      '/savings',
      '/budgets',
      '/statements',
      `/statements?month=${new Date(endSecond * 1000).toISOString().slice(0, 7)}&team=__none__`,
      '/clusters',
      `/clusters/${cluster.clusterId}`,
      ...[
        'profile',
        'api-tokens',
        'users',
        'roles',
        'teams',
        `prices?${picked}`,
        `policies?${picked}`,
        'alerts',
        'audit',
      ].map((section) => `/settings/${section}`),
    ]
    const calls: string[] = []
    page.on('request', (request) => isCall(request) && calls.push(new URL(request.url()).pathname))
    for (const path of paths) {
      calls.length = 0
      await follow(page, `${dashboard.url}${path}`)
      await expectAccessible(page)
      await expectUnitsAlike(page)
      await expectPrintable(page)
      if (path.startsWith('/recommendations/')) await expectTimes(page, 'History')
      // One call for the page; the session, the list of clusters and the rules are shared. The bill on Savings needs another permission.
      const own = calls.filter((call) => !sharedCalls.includes(call) && call !== '/api/v1/gitops/manifests')
      expect(own.length, `${path}: ${own.join(', ')}`).toBeLessThanOrEqual(path === '/savings' ? 2 : 1)
      // An open page requests new data once a minute. In a short run, the first pages stand for all.
      if (isFull || paths.indexOf(path) < 3) await page.clock.runFor(60_000)
      expect(calls.length, path).toBeLessThanOrEqual(9)
    }
    // Overlays are checked too; the content security policy allows them no inline styles.
    await follow(page, `${dashboard.url}/?${picked}`)
    await page.locator('.explained').first().click()
    await page.getByText('Network traffic is not measured.').waitFor()
    await expectAccessible(page)
    await page.keyboard.press('Escape')
    await page.keyboard.press('?')
    await page.getByRole('heading', { name: 'Keyboard' }).waitFor()
    await page.keyboard.press('Escape')
    await page.getByRole('banner').getByRole('button').first().click()
    await page.getByRole('menuitem', { name: 'All clusters' }).click()
    await page.waitForURL((url) => !url.searchParams.has('cluster'))
    await page.emulateMedia({ colorScheme: 'dark' })
    await page.goto(`${dashboard.url}/?${picked}`)
    await page.getByText('Compute cost by usage').waitFor()
    expect(await page.locator('html').getAttribute('data-theme')).toBe('dark')
    await expectAccessible(page)
    // On a phone a tag within a sentence stays inline.
    await page.setViewportSize({ width: 390, height: 844 })
    await page.route('**/api/v1/prices?*', async (route) => {
      const response = await route.fetch()
      const body = (await response.text()).replaceAll(/"kind":"[^"]*"/g, '"kind":"estimated"')
      await route.fulfill({ response, body })
    })
    await page.goto(`${dashboard.url}/settings/prices?${picked}`)
    const estimated = await page.locator('td .tag', { hasText: 'estimated' }).first().boundingBox()
    expect(estimated?.width).toBeLessThan(100)
    await page.context().close()
  })

  test('by keyboard alone: move, select, approve several, undo, reject with a reason', async () => {
    const page = await dashboard.signedIn(await aPerson(t, 'editor'))
    await page.goto(`${dashboard.url}/recommendations?view=all`)
    // A name from a cluster is text, whatever it looks like.
    await page.getByRole('link', { name: `shop/${hostile}` }).waitFor()
    await page.keyboard.press('j')
    await page.keyboard.press('x')
    await page.keyboard.press('j')
    await page.keyboard.press('j')
    await page.keyboard.press('Shift+X')
    await page.getByText('3 selected').waitFor()
    await page.keyboard.press('a')
    await page.getByText('3 recommendations approved.').waitFor()
    expect(await countOf(page, 'approved')).toBe(3)
    await button(page, 'Undo').click()
    await page.getByRole('link', { name: 'shop/service-00' }).waitFor()
    await expect.poll(() => countOf(page, 'approved')).toBe(0)

    await page.keyboard.press('r')
    await page.getByText('Needed for a known peak').waitFor()
    await page.keyboard.press('Space')
    await page.keyboard.press('Tab')
    await page.keyboard.press('Enter')
    await page.getByText('1 recommendation rejected.').waitFor()
    expect(await countOf(page, 'rejected')).toBe(1)

    await page.getByRole('link', { name: 'shop/service-05' }).click()
    await button(page, 'Mark as implemented').click()
    await page.getByRole('dialog').getByRole('button', { name: 'Mark as implemented' }).click()
    await page.getByText('pending verification').first().waitFor()
    await button(page, 'Mark as not implemented').click()
    await button(page, 'Withdraw approval').waitFor()

    // The plan: one step of three changes removes a node.
    await page.goto(`${dashboard.url}/recommendations`)
    await page.getByRole('heading', { name: 'Lower 3 requests in shop' }).waitFor()
    await page.getByText('Removes 1 × m6i.4xlarge ip-10-0-0-1').waitFor()
    await button(page, 'Show 3 changes').click()
    await page.getByRole('link', { name: 'shop/service-01' }).waitFor()
    await button(page, 'Approve step').first().click()
    await page.getByText(/recommendations? approved\./).waitFor()
    await button(page, 'Withdraw approval').first().waitFor()
    await page.context().close()
  })

  const countOf = async (page: Page, status: string): Promise<number> => {
    const answer = await page.request.get(`${dashboard.url}/api/v1/recommendations?limit=1`)
    return ((await answer.json()) as { totals: Record<string, { count: number }> }).totals[status]?.count ?? -1
  }

  test('an API token is shown once, works, and stops working when it is revoked', async () => {
    const page = await dashboard.signedIn(await aPerson(t, 'editor'))
    await page.goto(`${dashboard.url}/settings/api-tokens`)
    await page.getByLabel('Name').fill('nightly')
    // A token with all permissions must be selected explicitly.
    await page
      .getByText(
        'The token can read alerts, budgets, clusters, recommendations, costs and settings. It cannot change anything.',
      )
      .waitFor()
    await button(page, 'All my permissions').click()
    await page
      .getByText(/^The token always has the same permissions as you. Currently: .* delete budgets and clusters/)
      .waitFor()
    await expectAccessible(page)
    await button(page, 'Read only').click()
    await page.getByLabel('recommendations:read').uncheck()
    await page
      .getByText('The token can read alerts, budgets, clusters, costs and settings. It cannot change anything.')
      .waitFor()
    await button(page, 'Create token').click()
    const key =
      (await page
        .locator('code')
        .filter({ hasText: /^plk_.{20}/ })
        .textContent()) ?? ''
    const use = () => send(t, { url: '/api/v1/clusters', headers: { 'x-api-key': key } })
    expect((await use()).statusCode).toBe(200)
    await page
      .getByRole('cell', { name: 'alerts:read, budgets:read, clusters:read, reports:read, settings:read' })
      .waitFor()
    await page.reload()
    await button(page, 'Revoke nightly').waitFor()
    expect(await page.content()).not.toContain(key)
    await button(page, 'Revoke nightly').click()
    await page.getByText('You have no tokens').waitFor()
    expect((await use()).statusCode).toBe(401)
    await page.context().close()
  })

  test('viewers and editors see no forbidden button, and limited roles no forbidden page', async () => {
    const viewer = await dashboard.signedIn(await aPerson(t, 'viewer'))
    await viewer.goto(`${dashboard.url}/recommendations?view=all`)
    await viewer.getByRole('link', { name: 'shop/service-03' }).click()
    await viewer.getByRole('heading', { name: 'Summary' }).waitFor()
    expect(await button(viewer, /approve|reject|implemented/i).count()).toBe(0)
    await follow(viewer, `${dashboard.url}/clusters`)
    await viewer.getByRole('link', { name: cluster.name }).waitFor()
    expect(await viewer.getByText('Add cluster').count()).toBe(0)
    await viewer.goto(`${dashboard.url}/settings/users`)
    await viewer.getByText('This page requires users:read').waitFor()
    expect(await expectNoClosedDoor(viewer, dashboard.url)).toContain('/efficiency')
    await viewer.context().close()

    const editor = await dashboard.signedIn(await aPerson(t, 'editor'))
    await editor.goto(`${dashboard.url}/settings/roles`)
    await editor.getByText('This page requires roles:read').waitFor()
    await follow(editor, `${dashboard.url}/clusters/${cluster.clusterId}`)
    await editor.getByText('YOUR-AGENT-TOKEN').waitFor()
    expect(await button(editor, /token/i).count()).toBe(0)
    await follow(editor, `${dashboard.url}/settings/policies?cluster=${cluster.clusterId}`)
    await editor.getByText('Minimum savings per recommendation').waitFor()
    expect(await button(editor, /change|namespace|default/i).count()).toBe(0)
    await editor.context().close()

    const permissions: Permission[] = ['clusters:read', 'settings:read', 'settings:write']
    const part = await dashboard.signedIn(await aPerson(t, await aRole(t, permissions, { namespaces: ['shop'] })))
    await part.goto(`${dashboard.url}/settings/policies?cluster=${cluster.clusterId}`)
    await part.getByText('Policy of this cluster').waitFor()
    expect(await button(part, /change|safe|namespace|default/i).count()).toBe(0)
    await part.getByRole('combobox', { name: 'Scope' }).selectOption('shop')
    await part.getByRole('textbox', { name: 'Minimum savings' }).fill('7')
    await button(part, 'Save').click()
    await part.getByText('Saved. Applies from the next analysis.').waitFor()
    await part.context().close()

    const narrow = await aRole(t, [...builtInRoles.admin], { namespaces: ['shop'] })
    const narrowPages = await dashboard.signedIn(await aPerson(t, narrow))
    expect(await expectNoClosedDoor(narrowPages, dashboard.url)).toContain('/allocation')
    await narrowPages.context().close()

    const counter = await dashboard.signedIn(await aPerson(t, await aRole(t, ['clusters:read'])))
    await counter.goto(dashboard.url)
    await counter.getByText('Recommendations require recommendations:read').waitFor()
    expect(await counter.getByRole('link', { name: 'Recommendations' }).count()).toBe(0)
    await counter.context().close()
  })

  test('an ended session asks for the password and continues on the same page', async () => {
    const person = await aPerson(t, 'viewer')
    const page = await dashboard.signedIn(person)
    await page.goto(`${dashboard.url}/clusters`)
    await page.getByRole('link', { name: cluster.name }).waitFor()
    // The session ends on the way to the next page. Earlier, a call of the previous page could open the dialog over the
    // link.
    const endSession = t.db.deleteFrom('session').where('user_id', '=', person.userId)
    await page.route(
      '**/api/v1/savings*',
      async (route) => {
        await endSession.execute()
        await route.continue()
      },
      { times: 1 },
    )
    await page.getByRole('link', { name: 'Savings' }).click()
    await page.getByText('Your session has ended').waitFor()
    expect(await page.getByRole('dialog').getByLabel('E-mail address').inputValue()).toBe(person.email)
    await page.getByRole('dialog').getByLabel('Password').fill(password)
    await button(page, 'Sign in').click()
    await page.getByText('Savings funnel').waitFor()
    dashboard.allowComplaints(/401/)
    await page.context().close()
  })

  test('three open tabs stay far below 100 calls per minute', async () => {
    const first = await dashboard.signedIn(await aPerson(t, 'viewer'))
    const tabs = [first, await dashboard.tab(first.context()), await dashboard.tab(first.context())]
    for (const tab of tabs) {
      await tab.goto(`${dashboard.url}/`)
      await tab.getByText('Run rate changes since last week').waitFor()
    }
    let calls = 0
    for (const tab of tabs) tab.on('request', (request) => (calls += isCall(request) ? 1 : 0))
    for (const tab of tabs) await tab.clock.runFor(60_000)
    await first.waitForLoadState('networkidle')
    expect(calls).toBeGreaterThan(0)
    expect(calls).toBeLessThan(20)
    await first.context().close()
  })
})
