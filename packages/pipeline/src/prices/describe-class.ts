import { count, KIB_PER_GIB, MICROCORES_PER_CORE, PARTS_PER_WHOLE } from '@plimsoll/engine'
import { providerTitle } from '@plimsoll/engine/vocabulary'
import { parseClassKey } from './node-class.ts'

/** The description of a node class for users: instance type, purchase option, location and size. */
export function describeClass(key: string): string {
  const { query, capacity, serverless } = parseClassKey(key)
  const { instanceType, capacityType, os, provider, region, zone, gpu } = query
  const machine = serverless ? `${serverless.product} on ${serverless.arch}` : instanceType
  const gpus = capacity.gpu / PARTS_PER_WHOLE
  const parts = [
    machine === '' ? 'node of unknown type' : machine,
    capacityType,
    os === 'linux' ? '' : os,
    [providerTitle(provider), zone ?? region].filter((each) => each !== '').join(' '),
    capacity.cpu > 0 ? count(rounded(capacity.cpu / MICROCORES_PER_CORE), 'core') : '',
    capacity.memory > 0 ? `${rounded(capacity.memory / KIB_PER_GIB)} GiB` : '',
    gpus > 0 ? [count(rounded(gpus), 'GPU'), gpu?.type ?? ''].join(' ').trim() : '',
  ]
  return parts.filter((part) => part !== '').join(', ')
}

const rounded = (value: number) => Number(value.toFixed(2))
