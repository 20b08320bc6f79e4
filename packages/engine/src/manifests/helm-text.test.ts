import { describe, expect, test } from 'vitest'
import { aChange, aWorkload, renderSome, smaller } from './builders.ts'
import { parseChartLabel } from './helm-text.ts'
import type { WantedChange } from './plan-patches.ts'

describe('commands about a release', () => {
  const of = (release: string, given: Partial<WantedChange> & { namespace?: string } = {}): WantedChange => {
    const { namespace = 'shop', ...more } = given
    const labels = {
      'helm.sh/chart': 'web-1.2.3',
      ...(release === '' ? {} : { 'app.kubernetes.io/instance': release }),
    }
    return aChange(smaller, aWorkload({ labels, namespace, name: `${release}web` }), { id: `rec_${release}`, ...more })
  }
  const stepsOf = (wanted: readonly WantedChange[], chart: string | null = null) => {
    const { apply, verify } = renderSome(wanted, 'helm', { chartOf: () => chart })
    return [...apply, ...verify].filter(({ tool }) => tool === 'helm')
  }
  const variablesOf = (wanted: readonly WantedChange[], name: string) => [
    ...new Set(stepsOf(wanted).flatMap(({ command }) => new RegExp(`${name}\\w*(?=:)`).exec(command)?.[0] ?? [])),
  ]

  test('stop if the chart or the name is not set, and say what to set', () => {
    const [upgrade, check] = stepsOf([of('')])
    for (const step of [upgrade, check]) {
      expect(step?.command).toContain('"${RELEASE:?is not set}" "${CHART:?is not set}" -n shop ')
      expect(step?.description).toContain(
        'Set RELEASE to the name of the release that creates Deployment shop/web and CHART to the chart of this release (directory, name or URL).',
      )
    }
    const known = stepsOf([of('front')], './chart')
    expect(known.map(({ command }) => command).join()).not.toContain('is not set')
    expect(known.map(({ description }) => description).join()).not.toMatch(/CHART|RELEASE/)
  })

  test('have an optional place for the values of the reader before the generated ones', () => {
    const [, check] = stepsOf([of('front')])
    expect(check?.command).toMatch(
      / \$\{VALUES:\+--values="\$VALUES"\} -f plimsoll\/prod\/shop\/front\.[0-9a-f]{8}\.values\.yaml\)/,
    )
    expect(check?.description).toContain('Set VALUES to your own values files')
  })

  test('use the running chart version from the label, or ask for it', () => {
    const commandsOf = (...charts: string[]) =>
      stepsOf(
        charts.map((chart, index) => {
          const labels = { 'app.kubernetes.io/instance': 'front', 'app.kubernetes.io/managed-by': 'Helm' }
          const component = { 'app.kubernetes.io/component': `part-${index}` }
          const live = aWorkload({ name: `web-${index}`, labels: { ...labels, ...component, 'helm.sh/chart': chart } })
          return aChange(smaller, live, { id: `rec_${index}` })
        }),
      )
    for (const { command, description } of commandsOf('web-1.2.3')) {
      expect(command).toContain(' --version 1.2.3 ')
      expect(description).toContain('The version is the running version of chart web.')
    }
    for (const { command, description } of [...commandsOf('web'), ...commandsOf('web-1.2.3', 'redis-17.0.0')]) {
      expect(command).not.toContain('--version')
      expect(description).toContain('The running chart version is unknown: add --version')
    }
  })

  test.each([
    ['web-1.2.3', { name: 'web', version: '1.2.3' }],
    ['my-web-2-v1.2.3-rc.1', { name: 'my-web-2', version: 'v1.2.3-rc.1' }],
    ['web-1.2.3_build.5', { name: 'web', version: '1.2.3+build.5' }],
    ['web', null],
    ['web-1.2', null],
    ['web-1.2.3;touch harmed', null],
    [`${'w'.repeat(57)}-1.2.3`, null],
  ])('the chart label %j gives %j', (label, chart) => {
    expect(parseChartLabel(label)).toEqual(chart)
  })

  test('never share a variable with another release', () => {
    expect(variablesOf([of('front'), of('back')], 'CHART')).toEqual(['CHART_FOR_BACK', 'CHART_FOR_FRONT'])
    const spaces = [of('front'), of('front', { id: 'rec_2', namespace: 'desk' })]
    expect(variablesOf(spaces, 'VALUES')).toEqual(['VALUES_FOR_DESK_FRONT', 'VALUES_FOR_SHOP_FRONT'])
    const fleet = [of('front'), of('front', { id: 'rec_2', clusterId: 'cls_2', clusterName: 'eu' })]
    expect(variablesOf(fleet, 'CHART')).toEqual(['CHART_FOR_EU_FRONT', 'CHART_FOR_PROD_FRONT'])
    const alike = [of('a.b'), of('a-b', { id: 'rec_2' })]
    expect(variablesOf(alike, 'CHART')).toEqual([
      expect.stringMatching(/^CHART_FOR_PROD_SHOP_A_B_[0-9A-F]{8}$/),
      expect.stringMatching(/^CHART_FOR_PROD_SHOP_A_B_[0-9A-F]{8}$/),
    ])
  })
})
