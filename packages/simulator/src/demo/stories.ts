import {
  consolidationBlocked,
  containerOverprovisioned,
  containerUnderprovisioned,
  cpuLimitThrottling,
  gpuIdle,
  workloadAbandoned,
} from '@plimsoll/engine/rules'
import type { Found } from './api.ts'

type Story = {
  readonly title: string
  readonly scenario: string
  /** A part of the title or the workload name, and the rule. */
  readonly text: string
  readonly rule: string
  /** The benefit, for a story without savings or cost. */
  readonly means?: string
}

export const stories: readonly Story[] = [
  { title: 'A memory leak', scenario: 'production', text: 'recommender', rule: containerUnderprovisioned.id },
  { title: 'An abandoned service', scenario: 'production', text: 'legacy-gateway', rule: workloadAbandoned.id },
  { title: 'A spiky API', scenario: 'production', text: 'search-api', rule: containerOverprovisioned.id },
  { title: 'An oversized database', scenario: 'production', text: 'ledger-db', rule: containerOverprovisioned.id },
  { title: 'An idle GPU', scenario: 'platform', text: 'notebook-anna', rule: gpuIdle.id },
  {
    title: 'A node blocked by a PodDisruptionBudget',
    scenario: 'production',
    text: 'a PodDisruptionBudget',
    rule: consolidationBlocked.id,
  },
  {
    title: 'A throttled service',
    scenario: 'platform',
    text: 'thumbnails',
    rule: cpuLimitThrottling.id,
    means: 'no savings: the service is throttled most of the day',
  },
]

export type StoryLink = { title: string; what: string; link: string }

/** A cluster and its scenario. */
type Place = { readonly scenario: { readonly name: string }; readonly cluster: { readonly id: string } }

/** The stories that the service has found, with their savings or benefit. */
export function linkStories(members: readonly Place[], found: readonly Found[], url: string): StoryLink[] {
  return stories.flatMap(({ title, scenario, text, rule, means }) => {
    const cluster = members.find((member) => member.scenario.name === scenario)?.cluster
    const seen = found.find(
      (each) =>
        each.cluster_id === cluster?.id &&
        each.rule_id === rule &&
        [each.title, each.workload?.name].some((words) => words?.includes(text)),
    )
    if (!seen) return []
    const what = means !== undefined && seen.estimated_savings === 0 ? means : worth(seen)
    return [{ title, what, link: linkTo(seen, url) }]
  })
}

const linkTo = ({ id }: Found, url: string) => `${url}/recommendations/${id}`

/** The largest open recommendation of any kind. */
export const largestWaste = (found: readonly Found[]) => largestOf(found.filter(isOpen))

/** The recommendation with the highest savings and a manifest. */
export const largestResize = (found: readonly Found[]) =>
  largestOf(found.filter((each) => isOpen(each) && each.rule_id === containerOverprovisioned.id))

const isOpen = ({ status }: Found) => status === 'pending'

const largestOf = (found: readonly Found[]): Found | undefined =>
  found.toSorted((a, b) => b.estimated_savings - a.estimated_savings)[0]

const amounts = new Intl.NumberFormat('en-US', { style: 'currency', currency: 'USD' })

export function worth({ estimated_savings: usd, bankable_savings: bankable }: Found): string {
  if (usd < 0) return `costs ${amounts.format(-usd)}/month`
  return `estimated ${amounts.format(usd)}/month${bankable === 0 ? ', not bankable until nodes are removed' : ''}`
}

const nameOf = ({ namespace, workload, title }: Found) => (workload ? `${namespace}/${workload.name}` : title)

export type Shown = {
  url: string
  email: string
  /** Undefined: a given password is not printed. */
  password: string | undefined
  seconds: number
  largest: Found | undefined
  resize: Found | undefined
  storyLinks: readonly StoryLink[]
  ledgerMoves: { verified: number; reverted: number }
  /** Where the demo channel shows its messages. Undefined: there is no such channel. */
  messagesUrl?: string | undefined
}

/** A summary for a user with five minutes. */
export function whatToLookAt({
  url,
  email,
  password,
  seconds,
  largest,
  resize,
  storyLinks,
  ledgerMoves,
  messagesUrl,
}: Shown): string {
  const { verified, reverted } = ledgerMoves
  const about = (what: string, found: Found | undefined) =>
    found ? [[`${what}: ${nameOf(found)}, ${worth(found)}`, linkTo(found, url)]] : []
  const steps = [
    ['Cost by class: used, requested but unused, unallocated', `${url}/`],
    ...about('Largest estimated savings', largest),
    ...about('Largest right-sizing recommendation, with manifest, evidence and safety margin', resize),
    [`Savings history: ${verified} changes verified, ${reverted} reverted`, `${url}/savings`],
    ['Alerts, channels and rules', `${url}/settings/alerts`],
    ...(messagesUrl === undefined
      ? []
      : [['Messages that the demo channel received, 5 minutes after their alerts', messagesUrl]]),
  ]
  const width = (of: 'title' | 'what') => Math.max(0, ...storyLinks.map((each) => each[of].length)) + 2
  const stories = storyLinks.map(
    ({ title, what, link }) => `  ${title.padEnd(width('title'))}${what.padEnd(width('what'))}${link}`,
  )
  return `
  Plimsoll is running at ${url}   (simulated data, ready after ${Math.round(seconds)} s)

${howToSignIn(url, email, password)}

  Five-minute tour
${steps.map(([what = '', link = '']) => `  ${what}${link === '' ? '' : `\n      ${link}`}`).join('\n')}

  Examples
${stories.join('\n')}

  API docs    ${url}/docs
  Press Ctrl-C to stop. The next start continues from here; npm run demo -- --reset starts over.
`
}

function howToSignIn(url: string, email: string, password: string | undefined): string {
  const filledIn = password === undefined ? '' : `#${new URLSearchParams({ email, password }).toString()}`
  return `  Sign in     ${url}/sign-in${filledIn}\n  as          ${email}  ${password ?? '(with your PLIMSOLL_ADMIN_PASSWORD)'}`
}

/** After the earlier days are stored. */
export const historyWords = (url: string, incident: string | undefined) =>
  `  The whole history is stored.${incident === undefined ? '' : `\n  Cost incident: ${incident}\n      ${url}/changes`}\n`
