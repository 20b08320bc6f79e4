// Runs simulated clusters against a server: npm run simulate -- --help
import { readFileSync } from 'node:fs'
import { setTimeout as wait } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { SimulatedAgent } from './batches/simulated-agent.ts'
import { Random } from './random.ts'
import { parseScenario } from './scenario/parse-scenario.ts'
import type { Scenario } from './scenario/scenario.ts'
import { awsProduction } from './scenarios/aws-production.ts'
import { azureOffice } from './scenarios/azure-office.ts'
import { gcpPlatform } from './scenarios/gcp-platform.ts'
import { runAgent } from './send/run-agent.ts'
import { openWorld } from './world/world.ts'

const help = `npm run simulate -- --scenario <name or file> [--url <server>] [--hours-back <n>] [--minutes <n>]

  --scenario    production, platform, office, or a JSON file
  --url         URL of the server; default http://localhost:8080
  --hours-back  hours of history to send first, at most 160, as fast as the server allows; default 0
  --minutes     stop after this many simulated minutes; default: continue in real time

The agent token of the cluster is read from PLIMSOLL_AGENT_TOKEN.`

const { values } = parseArgs({
  options: {
    scenario: { type: 'string' },
    url: { type: 'string', default: 'http://localhost:8080' },
    'hours-back': { type: 'string', default: '0' },
    minutes: { type: 'string' },
    help: { type: 'boolean', default: false },
  },
})
const token = process.env.PLIMSOLL_AGENT_TOKEN

if (values.help || values.scenario === undefined || token === undefined) {
  console.log(help)
  process.exitCode = values.help ? 0 : 2
} else {
  await run(readScenario(values.scenario), token)
}

async function run(scenario: Scenario, agentToken: string): Promise<void> {
  const now = () => Date.now() / 1000
  const minutesBack = Math.round(Number(values['hours-back']) * 60)
  const start = (Math.floor(now() / 60) - minutesBack) * 60
  const agent = new SimulatedAgent(openWorld(scenario, start))
  const target = {
    url: values.url,
    token: agentToken,
    random: new Random(scenario.seed),
    sleep: (seconds: number) => wait(seconds * 1000),
  }
  const minutes = values.minutes === undefined ? Infinity : Number(values.minutes)
  // Past minutes are over already, so the live pace catches up as fast as the server allows.
  const report = await runAgent(agent, target, { pace: 'live', now, minutes })
  console.log(`${scenario.name}: ${JSON.stringify(report)}`)
  process.exitCode = report.stopped === 'done' ? 0 : 1
}

function readScenario(name: string): Scenario {
  const known = [awsProduction, gcpPlatform, azureOffice].find((scenario) => scenario.name === name)
  return known ?? parseScenario(JSON.parse(readFileSync(name, 'utf8')))
}
