import { BadScenario } from './checks.ts'
import { scenario as checkFields, type Scenario, type WorkloadScenario } from './scenario.ts'

/** Reads a scenario from JSON or from code. Throws BadScenario, which names the place and the problem. */
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
    if (zones.length === 0) throw new BadScenario(`${at}.zones`, 'names no zone; an empty text is one')
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
  if (!namespaces.has(namespace)) throw wrong('namespace', `there is no namespace ${namespace}`)
  if (unknown !== undefined) throw wrong('pools', `there is no pool ${unknown}`)
  if (!containers.some((each) => (each.kind ?? 'app') === 'app')) throw wrong('containers', 'none of them is an app')
  if (runsToAnEnd !== (runs !== undefined)) throw wrong('runs', 'is for Jobs and CronJobs, which need it')
  if ((kind === 'CronJob') !== (runs?.everyMinutes !== undefined)) throw wrong('runs.everyMinutes', 'is for CronJobs')
  if (autoscaler && kind !== 'Deployment') throw wrong('autoscaler', 'is for Deployments')
  if (claim && kind !== 'StatefulSet') throw wrong('claim', 'is for StatefulSets')
}

function checkReferences({ workloads, volumes = [], balancers = [], happenings = [] }: Scenario, pools: Set<string>) {
  const known = new Map(workloads.map((workload) => [keyOf(workload), workload]))
  const check = (at: string, namespace: string, name: string) => {
    const workload = known.get(keyOf({ namespace, name }))
    if (!workload) throw new BadScenario(at, `there is no workload ${namespace}/${name}`)
    return workload
  }
  volumes.forEach(({ namespace, workload }, index) => workload && check(`volumes[${index}]`, namespace, workload))
  balancers.forEach(({ namespace, workload }, index) => workload && check(`balancers[${index}]`, namespace, workload))
  happenings.forEach((happening, index) => {
    const at = `happenings[${index}]`
    if ('pool' in happening) {
      if (!pools.has(happening.pool)) throw new BadScenario(at, `there is no pool ${happening.pool}`)
      return
    }
    const { containers } = check(at, happening.namespace, happening.workload)
    if (happening.kind === 'resize' && !containers.some(({ name }) => name === happening.container)) {
      throw new BadScenario(at, `there is no container ${happening.container}`)
    }
  })
}

function checkUnique(at: string, names: readonly string[]): void {
  const seen = new Set<string>()
  for (const name of names) {
    if (seen.has(name)) throw new BadScenario(at, `${name} is there twice`)
    seen.add(name)
  }
}
