import { expect, test } from 'vitest'
import { comparedClusters, coverageOf } from './shown-cover.ts'

const window = { name: 'custom' as const, from: new Date('2027-01-01T00:00:00Z'), to: new Date('2027-01-31T00:00:00Z') }
const hours = 30 * 24
const cover = (clusterId: string, hoursWithData: number) => ({ clusterId, hoursWithData, openHour: null })

const meanHours = (before: number[], now: number[]) => {
  const covers = (of: number[]) => of.map((each, at) => cover(`cls_${at}`, each))
  const compared = comparedClusters(covers(before))
  return [before, now].map((of) => coverageOf(covers(of), window, compared).hoursWithData)
}

test('a cluster without data in both windows does not count as a gap', () => {
  expect(meanHours([hours, hours, 0], [hours, hours, 0])).toEqual([hours, hours])
})

test('a new cluster does not count as a gap of the window before', () => {
  expect(meanHours([hours, hours, hours, 0], [hours, hours, hours, 100])).toEqual([hours, hours])
})

test('a cluster that stopped to send data is a gap', () => {
  expect(meanHours([hours, hours], [hours, 0])).toEqual([hours, hours / 2])
})

test('without data in the window before, all clusters count', () => {
  expect(meanHours([0, 0], [hours, 0])).toEqual([0, hours / 2])
})
