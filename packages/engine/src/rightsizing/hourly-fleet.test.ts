import { expect, test } from 'vitest'
import { madeUsage, NOW, steadyHours } from '../../test/made-usage.ts'
import { openHourlyFleet, stepHour, type HourlyContainer } from './hourly-fleet.ts'

const HOURS = 24 * 5
const FIRST = NOW / 3600

/** By day 4 times as much as by night, which a request that changes hourly can follow. */
function containerAt(hour: number): HourlyContainer {
  const use = (at: number) => (at % 24 < 12 ? 400 : 1600)
  const count = 14 * 24
  const base = steadyHours(count, 1)
  const hours = Int32Array.from({ length: count }, (_, index) => hour - count + index)
  const column = Float32Array.from(hours, use)
  const usage = madeUsage({ samples: () => [400, 400, 1600, 1600] })
  return {
    id: 1,
    usage: {
      cpu: usage.cpu,
      hours: { ...base, hours, mean: column, p50: column, p90: column, p99: column, max: column },
    },
    replicas: 1,
    floorUnits: 100,
  }
}

function run(hours: number) {
  const fleet = openHourlyFleet()
  return Array.from({ length: hours }, (_, index) => stepHour(fleet, [containerAt(FIRST + index)], FIRST + index))
}

test('until three days are judged, VPA’s own request is taken', () => {
  const steps = run(24)
  for (const { price, units } of steps) {
    expect(price).toBe('vpa')
    expect(units[0]).toBeGreaterThan(1600)
  }
})

test('never below the floor and never nothing', () => {
  for (const { units } of run(HOURS)) expect(units[0]).toBeGreaterThanOrEqual(100)
})

test('no hour known and no slot known asks for nothing', () => {
  const { cpu } = madeUsage({ days: 0 })
  const nobody = { id: 1, usage: { cpu, hours: steadyHours(0, 1) }, replicas: 1, floorUnits: 100 }
  const { units } = stepHour(openHourlyFleet(), [nobody], FIRST)
  expect(units[0]).toBe(0)
})
