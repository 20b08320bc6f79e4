import { BadScenario } from './checks.ts'
import { scenario as checkFields, type Scenario, type WorkloadScenario } from './scenario.ts'

/** Reads a scenario from JSON or from code. Throws BadScenario with the path and the problem. */
export function parseScenario(value: unknown): Scenario {
  const scenario = checkFields(value, '')
  checkPools(scenario)
  checkUnique('workloads', scenario.workloads.map(keyOf))
  checkUnique('volumes', (scenario.volumes ?? []).map(keyOf))
  checkUnique('balancers', (scenario.balancers ?? []).map(keyOf))
  const namespaces = new Set(scenario.namespaces.map(({ name }) => name))
  const pools = new Set(scenario.pools.map(({ name }) => name))
  scenario.workloads.forEach((workload, index) => checkWorkload(workload, `workloads[${index}]`, namespaces, pools))
  checkReferences(scenario, pools)
  return scenario
}

export const keyOf = ({ namespace, name }: { namespace: string; name: string }) => `${namespace}/${name}`

function checkPools({ pools }: Scenario): void {
  checkUnique(
    'pools',
    pools.map(({ name }) => name),
  )
  pools.forEach(({ capacity, allocatable, zones, autoscaling }, index) => {
    const at = `pools[${index}]`
    const fits = allocatable.cpuMillicores <= capacity.cpuMillicores && allocatable.memoryMib <= capacity.memoryMib
    if (!fits) throw new BadScenario(`${at}.allocatable`, 'is more than the capacity')
    if (zones.length === 0) throw new BadScenario(`${at}.zones`, 'has no zone; use an empty string for one')
    if (autoscaling && autoscaling.min > autoscaling.max) throw new BadScenario(`${at}.autoscaling`, 'min is above max')
  })
}

function checkWorkload(
  { namespace, kind, containers, runs, autoscaler, claim, ...workload }: WorkloadScenario,
  at: string,
  namespaces: ReadonlySet<string>,
  pools: ReadonlySet<string>,
): void {
  const wrong = (field: string, problem: string) => new BadScenario(`${at}.${field}`, problem)
  const runsToAnEnd = kind === 'Job' || kind === 'CronJob'
  const unknown = workload.pools?.find((name) => !pools.has(name))
  if (!namespaces.has(namespace)) throw wrong('namespace', `namespace ${namespace} does not exist`)
  if (unknown !== undefined) throw wrong('pools', `pool ${unknown} does not exist`)
  if (!containers.some((each) => (each.kind ?? 'app') === 'app')) throw wrong('containers', 'has no app container')
  if (runsToAnEnd !== (runs !== undefined))
    throw wrong('runs', 'is required for Jobs and CronJobs, and not allowed otherwise')
  if ((kind === 'CronJob') !== (runs?.everyMinutes !== undefined))
    throw wrong('runs.everyMinutes', 'is allowed for CronJobs only')
  if (autoscaler && kind !== 'Deployment') throw wrong('autoscaler', 'is allowed for Deployments only')
  if (claim && kind !== 'StatefulSet') throw wrong('claim', 'is allowed for StatefulSets only')
}

function checkReferences({ workloads, volumes = [], balancers = [], happenings = [] }: Scenario, pools: Set<string>) {
  const known = new Map(workloads.map((workload) => [keyOf(workload), workload]))
  const check = (at: string, namespace: string, name: string) => {
    const workload = known.get(keyOf({ namespace, name }))
    if (!workload) throw new BadScenario(at, `workload ${namespace}/${name} does not exist`)
    return workload
  }
  volumes.forEach(({ namespace, workload }, index) => workload && check(`volumes[${index}]`, namespace, workload))
  balancers.forEach(({ namespace, workload }, index) => workload && check(`balancers[${index}]`, namespace, workload))
  happenings.forEach((happening, index) => {
    const at = `happenings[${index}]`
    if ('pool' in happening) {
      if (!pools.has(happening.pool)) throw new BadScenario(at, `pool ${happening.pool} does not exist`)
      return
    }
    const { containers } = check(at, happening.namespace, happening.workload)
    if (happening.kind === 'resize' && !containers.some(({ name }) => name === happening.container)) {
      throw new BadScenario(at, `container ${happening.container} does not exist`)
    }
  })
}

function checkUnique(at: string, names: readonly string[]): void {
  const seen = new Set<string>()
  for (const name of names) {
    if (seen.has(name)) throw new BadScenario(at, `${name} occurs twice`)
    seen.add(name)
  }
}
