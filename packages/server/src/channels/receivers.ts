export type Receiver = { channelId: string; teams: readonly string[] }

/**
 * The channels of a message about these teams: their own channels, else those of the installation, which belong to no
 * team. A channel of a team receives nothing about others.
 */
export function receiversFor(receivers: readonly Receiver[], teams: readonly string[]): string[] {
  const own = receivers.filter((each) => each.teams.some((team) => teams.includes(team)))
  const chosen = own.length > 0 ? own : receivers.filter((each) => each.teams.length === 0)
  return chosen.map(({ channelId }) => channelId)
}
