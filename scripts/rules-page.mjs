// Writes docs/rules.md from the rules themselves; with --check, says whether it is current.
import { readFile, writeFile } from 'node:fs/promises'
import { format, resolveConfig } from 'prettier'
import { FACTS, RULES } from '../packages/engine/src/index.ts'

const file = 'docs/rules.md'

const head = `# Rules

<!-- Written by \`npm run docs:rules\` from packages/engine/src/rules. Change the rule, not this page. -->

What Plimsoll looks for, when it speaks, what it saves and what keeps it silent. \`GET /api/v1/rules\` says the same.

For every rule: a fact that nobody supplies withholds it (\`no_source\`), nothing is guessed; system namespaces are left out
unless the policy includes them; no saving is larger than what the thing costs; a saving below the policy's \`min_savings\` is
not shown. What is withheld is listed at \`GET /api/v1/recommendations/withheld\` with the reason and how to unlock it.

Marks on a workload, as annotations or labels, beat the policy:

| mark | effect |
| --- | --- |
| \`plimsoll.dev/ignore: "true"\` | no advice about it |
| \`plimsoll.dev/min-cpu: 250m\` | no CPU request below |
| \`plimsoll.dev/min-memory: 256Mi\` | no memory request below |
| \`plimsoll.dev/jvm-heap: 2Gi\` | a Java machine with this heap: memory stays a quarter above it |
| \`plimsoll.dev/jvm: "true"\` | a Java machine whose heap is not known: memory stays as it is |
| \`plimsoll.dev/standby: "true"\` | meant to do nothing until it is needed: not asked about as abandoned |
`

/** Known to be wanted, and not there: nothing is said rather than guessed. */
const tail = `
## What is not looked for

Nothing is said about what no source reports: CPU that is throttled by a limit, GPUs that are requested and not used, traffic
(so an idle workload is only asked about), and the image of a container (so a new version is sized by what the one before it
used, until its own use outweighs that within days).
`

const section = (rule) => `
## ${rule.id}

**${rule.title}** (${rule.category}). ${rule.description}

- When: ${rule.trigger}
- Saving a month: ${rule.saving}
- Needs: ${rule.needs.map((fact) => FACTS[fact]).join('; ')}.
${rule.guards.map((guard) => `- Guard: ${guard}`).join('\n')}
`

const text = head + RULES.map(section).join('') + tail
const page = await format(text, { ...(await resolveConfig(file)), parser: 'markdown' })

if (!process.argv.includes('--check')) await writeFile(file, page)
else if ((await readFile(file, 'utf8').catch(() => '')) !== page) {
  console.log(`${file} does not say what the rules say: run npm run docs:rules`)
  process.exitCode = 1
}
