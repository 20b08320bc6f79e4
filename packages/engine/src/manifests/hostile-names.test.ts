import { describe, expect, test } from 'vitest'
import { aChange, aContainer, aWorkload, codesOf, renderSome, smaller } from './builders.ts'

describe('hostile names', () => {
  const evil = [
    '../../etc',
    'a b',
    "it's",
    'two\nlines',
    '$(rm -rf ~)',
    '`id`',
    '"; true',
    '-n',
    'ünï',
    'A',
    '',
    '.',
    '..',
    'a/b',
    'x'.repeat(254),
  ]

  test.each(evil)('%j as the name of a workload, a namespace or a container writes no file', (name) => {
    expect(codesOf(aChange(smaller, aWorkload({ name })))).toEqual(['invalid_name'])
    if (name !== '') expect(codesOf(aChange(smaller, aWorkload({ namespace: name })))).toEqual(['invalid_name'])
    const containers = [aContainer(), aContainer({ name, index: 1 })]
    const isNameless = name === ''
    expect(codesOf(aChange(smaller, aWorkload({ containers })))).toEqual(isNameless ? [] : ['invalid_name'])
    expect(codesOf(aChange(smaller, aWorkload({ kind: name || '-' })))).toEqual(
      name === 'A' ? ['kind_not_supported'] : ['invalid_name'],
    )
  })

  test.each(evil.filter((name) => name !== ''))(
    '%j as the name of a cluster or a release stays one word and one directory',
    (name) => {
      const live = aWorkload({
        annotations: { 'meta.helm.sh/release-name': name, 'argocd.argoproj.io/tracking-id': `${name}:x` },
      })
      for (const format of ['json-patch', 'kustomize', 'helm'] as const) {
        const { files, apply, verify } = renderSome([aChange(smaller, live, { clusterName: name })], format)
        expect(files.length).toBeGreaterThan(0)
        for (const { path } of files) expect(path).toMatch(/^plimsoll(\/[a-z0-9][a-z0-9.-]*)+$/)
        for (const { path } of files) expect(path).not.toContain('..')
        for (const { command } of apply.filter(({ tool }) => tool !== 'kubectl-local'))
          expect(unquoted(command)).not.toMatch(/[`$();\n]/)
        const rendering = verify
          .filter(({ tool }) => tool === 'helm')
          .map(({ command }) => /helm .*?(?=\) && lines=)/s.exec(command))
        expect(rendering).toHaveLength(format === 'helm' ? 1 : 0)
        for (const each of rendering) expect(unquoted(each?.[0] ?? '$')).not.toMatch(/[`$();\n]/)
      }
    },
  )

  test('different clusters never share a directory', () => {
    const names = ['Prod', 'prod', 'PROD', 'prod!', 'prod?']
    const wanted = names.map((clusterName, index) =>
      aChange(smaller, aWorkload(), { clusterName, clusterId: `cls_${index}`, id: `rec_${index}` }),
    )
    const { files, apply } = renderSome(wanted)
    expect(new Set(files.map(({ path }) => path.toLowerCase())).size).toBe(names.length)
    expect(
      apply
        .filter(({ tool }) => tool === 'kubectl')
        .every(({ command }) => command.includes(' --context="${CONTEXT_FOR_')),
    ).toBe(true)
  })
})

/** The text outside of quotes, without the variables of the command. */
const unquoted = (command: string) =>
  command
    .replaceAll(/'[^']*'|\\'/g, '')
    .replaceAll(/"\$\{[A-Z_]+:\?is not set\}"|\$\{(VALUES):\+--values="\$\1"\}/g, '')
