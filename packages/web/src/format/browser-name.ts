/** In order: browsers also name the ones they are compatible with. */
const browsers = [
  ['Edg/', 'Edge'],
  ['OPR/', 'Opera'],
  ['Firefox/', 'Firefox'],
  ['Chrome/', 'Chrome'],
  ['Safari/', 'Safari'],
] as const

const systems = [
  ['Android', 'Android'],
  ['iPhone', 'iPhone'],
  ['iPad', 'iPad'],
  ['Windows', 'Windows'],
  ['Mac OS X', 'macOS'],
  ['Linux', 'Linux'],
] as const

const nameIn = (list: readonly (readonly [string, string])[], agent: string) =>
  list.find(([part]) => agent.includes(part))?.[1]

/** `Firefox on Linux`; a program by its own name. */
export function browserName(agent: string | null): string {
  if (agent === null || agent === '') return 'unknown'
  const browser = nameIn(browsers, agent)
  if (browser === undefined) return agent.split(/[\s/]/)[0] ?? 'unknown'
  const system = nameIn(systems, agent)
  return system === undefined ? browser : `${browser} on ${system}`
}
