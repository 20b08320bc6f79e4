// Writes deploy/agent/agent.yaml, the agent without Helm, from its chart. With --check it only reports whether the file
// is current. HELM is the path of helm.
import { execFileSync } from 'node:child_process'
import { readFile, writeFile } from 'node:fs/promises'

const path = 'deploy/agent/agent.yaml'
const values = ['url=PLIMSOLL_URL', 'existingSecret=plimsoll-agent-token']
const rendered = execFileSync(
  process.env.HELM ?? 'helm',
  ['template', 'plimsoll-agent', 'deploy/agent/chart', '--namespace', 'plimsoll', '--kube-version', '1.30.0'].concat(
    values.flatMap((value) => ['--set', value]),
  ),
  { encoding: 'utf8' },
)
const text = `# The Plimsoll agent, rendered from deploy/agent/chart by scripts/agent-manifest.mjs.\n${rendered.replace(/^# Source: .*\n/gm, '')}`
if (!process.argv.includes('--check')) await writeFile(path, text)
else if (text !== (await readFile(path, 'utf8'))) {
  console.error(`${path} is not what the chart renders: run node scripts/agent-manifest.mjs`)
  process.exitCode = 1
}
