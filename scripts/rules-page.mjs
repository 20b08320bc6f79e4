// Writes docs/rules.md from the rules. With --check it only reports whether the file is current.
import { readFile, writeFile } from 'node:fs/promises'
import { format, resolveConfig } from 'prettier'
import { FACTS, LEFT_OUT, ANNOTATIONS, RULES } from '../packages/engine/src/rules/index.ts'

const file = 'docs/rules.md'

const head = `# Rules

<!-- Written by \`npm run docs:rules\` from packages/engine/src/rules/catalogue. Change the rule, not this page. -->

Each rule has a trigger, savings, required data and guards. \`GET /api/v1/rules\` returns the same. _Skipped_: the rule does not apply
to the object, and nothing is listed. _Withheld_: there is no recommendation, and the reason is listed.

For every rule:

- A rule without its required data is withheld (\`no_source\`).
- System namespaces are excluded unless the policy includes them.
- Savings never exceed the cost of the object.
- Savings below \`min_savings\` of the policy are withheld.
- \`GET /api/v1/recommendations/withheld\` lists withheld recommendations with reason and remedy.
- If later analyses cannot check an open recommendation, it stays open for 14 days with \`unconfirmed_since\`. Then it expires.

Annotations or labels on a workload override the policy:

| annotation | effect |
| --- | --- |
${ANNOTATIONS.map(({ name, value, effect }) => `| \`${name}: ${value}\` | ${effect} |`).join('\n')}

Plimsoll reads them from the controller (annotations, then labels), from its pods, and from the labels of the namespace, which
apply to all its workloads. The agent sends only these annotations, those of Helm, Argo CD and Flux,
\`cluster-autoscaler.kubernetes.io/safe-to-evict\` and \`karpenter.sh/do-not-disrupt\`.
`

const section = (rule) => `
## ${rule.id}

**${rule.title}** (${rule.category}). ${rule.description}

- When: ${rule.trigger}
- Monthly savings: ${rule.saving}
- Needs: ${rule.needs.map((fact) => FACTS[fact]).join('; ')}.
${rule.guards.map((guard) => `- Guard: ${guard}`).join('\n')}
`

const leftOut = `
## Rules not included

Common rules that Plimsoll does not have, mostly because no source reports the required facts:

${LEFT_OUT.map(({ id, why }) => `- \`${id}\`: ${why}`).join('\n')}

Traffic is not measured, so Plimsoll only asks whether an idle workload is needed. Without image names from the agent, usage of the
previous version also counts for a new version, until its own usage outweighs it within days.
`

const text = head + RULES.map(section).join('') + leftOut
const page = await format(text, { ...(await resolveConfig(file)), parser: 'markdown' })

if (!process.argv.includes('--check')) await writeFile(file, page)
else if ((await readFile(file, 'utf8').catch(() => '')) !== page) {
  console.log(`${file} is outdated: run npm run docs:rules`)
  process.exitCode = 1
}
