// Writes docs/rules.md from the rules themselves; with --check, says whether it is current.
import { readFile, writeFile } from 'node:fs/promises'
import { format, resolveConfig } from 'prettier'
import { FACTS, LEFT_OUT, ANNOTATIONS, RULES } from '../packages/engine/src/rules/index.ts'

const file = 'docs/rules.md'

const head = `# Rules

<!-- Written by \`npm run docs:rules\` from packages/engine/src/rules/catalogue. Change the rule, not this page. -->

What Plimsoll looks for, when it speaks, what it saves and what keeps it silent. \`GET /api/v1/rules\` says the same.

For every rule: a fact that nobody supplies withholds it (\`no_source\`), nothing is guessed; system namespaces are left out
unless the policy includes them; no saving is larger than what the thing costs; a saving below the policy's \`min_savings\` is
not shown. What is withheld is listed at \`GET /api/v1/recommendations/withheld\` with the reason and how to unlock it.

Marks on a workload, as annotations or labels, beat the policy:

| mark | effect |
| --- | --- |
${ANNOTATIONS.map(({ name, value, effect }) => `| \`${name}: ${value}\` | ${effect} |`).join('\n')}

They are read from the controller (annotations, then labels), from its pods, and as labels from the namespace, where they count
for all that is in it. Of annotations an agent sends only those that are allowed by name: these, and the marks of Helm, Argo CD
and Flux.
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
