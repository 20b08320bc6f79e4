import { expect, test } from 'vitest'
import { Refs } from './object-versions.ts'
import { Volumes } from './volumes.ts'

const aVolume = (uid: string) => ({
  uid,
  name: uid,
  namespace: 'shop',
  claim: 'disk',
  storageClass: '',
  driver: 'x',
  zone: '',
  sizeKib: 1000,
  phase: 'bound' as const,
})

test('a new volume of a reused claim name does not have the used space of the old volume', () => {
  const volumes = new Volumes(new Refs())
  volumes.set(aVolume('first'), 100)
  volumes.setUsed('shop', 'disk', 900, 110)
  expect(volumes.living(120)[0]?.usedKib).toBe(900)
  volumes.end('first', 130)
  volumes.set(aVolume('second'), 140)
  expect(volumes.living(150).map(({ uid, usedKib }) => [uid, usedKib])).toEqual([['second', undefined]])
})
