import { setTimeout as wait } from 'node:timers/promises'
import { ApiError, createClient, type Client } from '@plimsoll/client'
import { groupBy } from '@plimsoll/engine'
import { amountFor, demoBudgets, demoTeams } from './budgets.ts'

/** The fields of a listed recommendation that the demo reads. */
export type Found = {
  id: string
  cluster_id: string
  rule_id: string
  title: string
  namespace: string
  workload: { name: string; container: string } | null
  status: string
  verification: string | null
  estimated_savings: number
  bankable_savings: number | null
  current_spec: { cpu_request?: string; memory_request?: string }
  recommended_spec: { cpu_request?: string; memory_request?: string }
}

const everyStatus = 'pending,approved,rejected,implemented,resolved'

/** A decision about one recommendation. */
export type Move = { readonly id: string; readonly action: 'approve' | 'reject' | 'apply'; readonly reason?: string }

export type RemovingStep = {
  readonly kind: string
  readonly nodes: readonly { readonly name: string; readonly pool: string }[]
  readonly ids: readonly string[]
}

const callsKept = 50

/** The API calls of the demo, as the admin user. */
export class DemoApi {
  readonly #client: Client
  #token = ''
  #callsLeft = Infinity
  #nextTurnMs = 0

  constructor(url: string) {
    this.#client = createClient({
      baseUrl: url,
      credential: () => (this.#token === '' ? undefined : { bearer: this.#token }),
      fetch: (address, init) => this.#send(address, init),
    })
  }

  /**
   * Waits for the next poll. All clusters share the hundred calls of a minute. Some are kept for the decisions and for
   * the next start of the service, which would otherwise wait for the next minute.
   */
  async turn(pauseMs: number): Promise<void> {
    const at = Math.max(performance.now(), this.#nextTurnMs)
    this.#nextTurnMs = at + (this.#callsLeft > callsKept ? pauseMs / 2 : pauseMs)
    await wait(this.#nextTurnMs - performance.now())
  }

  async signIn(email: string, password: string): Promise<boolean> {
    const answer = await unlessRefused(this.#client.signIn({ body: { email, password } }))
    this.#token = answer?.token ?? ''
    return answer !== undefined
  }

  async hasCluster(id: string): Promise<boolean> {
    return (await unlessRefused(this.#client.getCluster({ params: { cluster_id: id } }))) !== undefined
  }

  async clusterIds(): Promise<string[]> {
    return (await this.#client.listClusters()).clusters.map(({ id }) => id)
  }

  async createCluster(cluster: { name: string; provider: string; region: string }) {
    const { id, agent_token: token } = await this.#client.createCluster({ body: cluster })
    if (token === undefined) throw new Error(`The response for the new cluster ${cluster.name} has no agent token.`)
    return { id, agent_token: token }
  }

  async deleteCluster(id: string): Promise<void> {
    await unlessRefused(this.#client.deleteCluster({ params: { cluster_id: id } }))
  }

  isWholeWeekKnown(id: string): Promise<boolean> {
    return this.#isComplete(id, { window: '7d' })
  }

  /** Whether each hour since then is finalised. */
  isKnownSince(id: string, second: number): Promise<boolean> {
    return this.#isComplete(id, { from: new Date(second * 1000).toISOString() })
  }

  async #isComplete(id: string, query: { window: '7d' } | { from: string }): Promise<boolean> {
    const summary = await this.#client.getClusterSummary({ params: { cluster_id: id }, query })
    return summary.data_status === 'complete'
  }

  /** The address of the receiver changes with each start. */
  async connectChannel(name: string, url: string): Promise<void> {
    const { channels } = await this.#client.listChannels()
    const known = channels.find((channel) => channel.name === name)
    if (known) await this.#client.updateChannel({ params: { channel_id: known.id }, body: { url, enabled: true } })
    else await this.#client.createChannel({ body: { name, kind: 'slack', url } })
  }

  /** Rules that a user set stay. */
  async createTeams(): Promise<void> {
    const { rules } = await this.#client.getTeamMapping()
    if (rules.length === 0) await this.#client.setTeamMapping({ body: { rules: [...demoTeams] } })
  }

  /** Budgets that a user created stay. */
  async createBudgets(): Promise<void> {
    const { budgets } = await this.#client.listBudgets()
    if (budgets.length > 0) return
    for (const { name, team, share } of demoBudgets) {
      const scope = { teams: [team] }
      const { matches } = await this.#client.previewBudget({ body: { scope } })
      if (matches.workloads === 0) continue
      const amount = amountFor(matches.usd_per_day, share)
      await this.#client.createBudget({ body: { name, period: 'month', amount, scope } })
    }
  }

  /** The title of the newest open cost incident. */
  async incidentTitle(): Promise<string | undefined> {
    const query = { rule: 'cost_above_expected', state: 'open', limit: 1 } as const
    return (await this.#client.listAlerts({ query })).alerts[0]?.title
  }

  /** Finalises and analyses the stored data. */
  async sync(id: string): Promise<void> {
    await unlessRefused(this.#client.syncCluster({ params: { cluster_id: id } }))
  }

  async recommendations(clusterId: string): Promise<Found[]> {
    const query = { limit: 500, include_snoozed: true, status: everyStatus, cluster_id: clusterId }
    return (await this.#client.listRecommendations({ query })).recommendations
  }

  /** The steps of the plan that remove nodes without a replacement, with the IDs of their recommendations. */
  async removingSteps(clusterId: string): Promise<RemovingStep[]> {
    const { steps } = await this.#client.getPlan({ params: { cluster_id: clusterId } })
    return steps
      .filter(({ nodes }) => nodes.length > 0 && nodes.every(({ replaced_by: replacement }) => replacement === null))
      .map(({ kind, nodes, recommendations }) => ({ kind, nodes, ids: recommendations.map(({ id }) => id) }))
  }

  /** One call for all moves with the same action and reason, because the calls of a minute are limited. */
  async moveAll(moves: readonly Move[]): Promise<void> {
    const bodies = groupBy(moves, ({ action, reason }) => JSON.stringify({ action, reason }))
    for (const [body, group] of bodies) {
      const ids = group.map(({ id }) => id)
      await this.#client.moveRecommendations({ body: { ...(JSON.parse(body) as Omit<Move, 'id'>), ids } })
    }
  }

  /** Waits if the minute has no calls left. */
  async #send(address: string, init: RequestInit): Promise<Response> {
    const response = await fetch(address, init)
    this.#callsLeft = Number(response.headers.get('x-ratelimit-remaining') ?? Infinity)
    if (response.status !== 429) return response
    await response.body?.cancel()
    await wait(1000 * Number(response.headers.get('retry-after') ?? 1))
    return this.#send(address, init)
  }
}

/** Undefined if the service rejects the call. A missing response is an error. */
async function unlessRefused<Answer>(call: Promise<Answer>): Promise<Answer | undefined> {
  try {
    return await call
  } catch (error) {
    if (error instanceof ApiError && error.status > 0) return undefined
    throw error
  }
}
