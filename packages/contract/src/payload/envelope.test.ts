import fc from 'fast-check'
import { Value } from 'typebox/value'
import { describe, expect, test } from 'vitest'
import { batchLimits, BatchAccepted, BatchHeaders, payloadSchema } from './envelope.ts'
import { PodScheduling, Taint } from './scheduling.ts'
import { addThrottling } from './throttling.ts'
import { unreadableKinds } from './unreadable-kinds.ts'
import { usageBucketEdges, usageBucketOf, usageBuckets } from './usage-buckets.ts'

const headers = {
  'plimsoll-schema': String(payloadSchema),
  'plimsoll-batch-id': 'batch-1',
  'plimsoll-epoch': 'epoch-1',
  'plimsoll-seq': '1',
  'plimsoll-kind': 'live',
  'plimsoll-cluster-uid': '0b6fbbcb-6a4d-4d8e-9d2a-3f1c2a7e5b10',
  'content-digest': `sha-256=:${'A'.repeat(43)}=:`,
  'content-encoding': 'gzip',
}

describe('BatchHeaders', () => {
  test('accepts the headers of an agent', () => {
    expect(Value.Check(BatchHeaders, headers)).toBe(true)
    expect(Value.Check(BatchHeaders, { ...headers, 'plimsoll-part': '2/5', 'user-agent': 'x' })).toBe(true)
    expect(Value.Check(BatchHeaders, { ...headers, 'content-encoding': 'GZip' })).toBe(true)
  })

  test.each(Object.keys(headers))('requires %s', (name) => {
    const { [name]: _left, ...others } = headers as Record<string, string>
    expect(Value.Check(BatchHeaders, others)).toBe(false)
  })

  test.each([
    ['plimsoll-schema', ['', '1.0', '-1', '10000', 'one']],
    ['plimsoll-batch-id', ['', 'a b', 'a/b', 'a'.repeat(65), 'ä']],
    ['plimsoll-epoch', ['', '../epoch', 'a'.repeat(65)]],
    ['plimsoll-seq', ['', '-1', '1.5', '1'.repeat(16), '1e3']],
    ['plimsoll-part', ['', '2', '2/', '/5', '2/5/7', '12345/1']],
    ['plimsoll-kind', ['', 'LIVE', 'replay']],
    ['plimsoll-cluster-uid', ['', 'a b', 'a'.repeat(65)]],
    ['content-digest', ['', 'sha-256=AAAA', 'md5=:AAAA:', `sha-256=:${'A'.repeat(43)}:`]],
    ['content-encoding', ['', 'br', 'gzip, br']],
  ])('rejects a %s of %j', (name, values) => {
    for (const value of values) expect(Value.Check(BatchHeaders, { ...headers, [name]: value })).toBe(false)
  })

  test('an accepted sequence number is a safe integer', () => {
    fc.assert(
      fc.property(fc.string({ unit: fc.constantFrom(...'0123456789'), maxLength: 20 }), (seq) => {
        if (Value.Check(BatchHeaders, { ...headers, 'plimsoll-seq': seq })) {
          expect(Number.isSafeInteger(Number(seq))).toBe(true)
        }
      }),
    )
  })
})

describe('limits and answer of a batch', () => {
  test('a body of the largest encoded size may be decoded', () => {
    expect(batchLimits.decodedBytesMax).toBeGreaterThan(batchLimits.encodedBytesMax)
    expect(batchLimits.ratioMax).toBeGreaterThan(batchLimits.decodedBytesMax / batchLimits.encodedBytesMax)
  })

  test('an answer names at most 20 rejected batches', () => {
    const rejection = { batch_id: 'batch-1', reason: 'agent does not match the schema' }
    const answer = (count: number) => ({
      ...{ batch_id: 'batch-1', duplicate: false, acked_seq: 1, server_time: '2026-03-01T00:00:00Z' },
      directives: { interval_seconds: 60, sync_requested: false, max_encoded_bytes: 1 },
      fold: { through_seq: 0, rejected_records: count, rejections: Array.from({ length: count }, () => rejection) },
    })
    expect(Value.Check(BatchAccepted, answer(0))).toBe(true)
    expect(Value.Check(BatchAccepted, answer(20))).toBe(true)
    expect(Value.Check(BatchAccepted, answer(21))).toBe(false)
  })
})

describe('scheduling', () => {
  test.each([
    [{}, true],
    [{ tolerations: [{}] }, true],
    [{ tolerations: [{ key: 'gpu', operator: 'Exists', effect: 'NoSchedule' }] }, true],
    [{ tolerations: [{ operator: 'Matches' }] }, false],
    [{ node_affinity: [{ expressions: [{ key: 'zone', operator: 'In', values: ['a'] }] }] }, true],
    [{ node_affinity: [{ expressions: [{ key: 'zone', operator: 'Near' }] }] }, false],
    [{ spread: [{ topology_key: 'zone', max_skew: 1 }] }, true],
    [{ spread: [{ topology_key: 'zone', max_skew: 0 }] }, false],
    [{ host_ports: [{ port: 65_535 }] }, true],
    [{ host_ports: [{ port: 65_536 }] }, false],
    [{ host_ports: [{ port: 0 }] }, false],
    [{ ephemeral_request: -1 }, false],
    [{ extended_requests: { 'nvidia.com/gpu': 1 } }, true],
    [{ extended_requests: { 'nvidia.com/gpu': 0.5 } }, false],
    [{ priority: -10 }, true],
    [{ colour: 'red' }, false],
  ])('%j is a constraint of a pod: %s', (scheduling, isAccepted) => {
    expect(Value.Check(PodScheduling, scheduling)).toBe(isAccepted)
  })

  test.each([
    [{ key: 'gpu', effect: 'NoSchedule' }, true],
    [{ key: 'gpu', value: 'yes', effect: 'NoExecute' }, true],
    [{ key: 'gpu', effect: 'Never' }, false],
    [{ effect: 'NoSchedule' }, false],
    [{ key: 'a'.repeat(513), effect: 'NoSchedule' }, false],
  ])('%j is a taint: %s', (taint, isAccepted) => expect(Value.Check(Taint, taint)).toBe(isAccepted))
})

describe('sums and buckets', () => {
  const throttling = fc.record({ periods: fc.nat(1e9), throttledPeriods: fc.nat(1e9) })

  test('throttling adds up in any order, and an empty value changes nothing', () => {
    fc.assert(
      fc.property(throttling, throttling, throttling, (a, b, c) => {
        expect(addThrottling(addThrottling(a, b), c)).toEqual(addThrottling(a, addThrottling(b, c)))
        expect(addThrottling(a, b)).toEqual(addThrottling(b, a))
        for (const none of [null, undefined]) expect(addThrottling(none, a)).toEqual(a)
      }),
    )
  })

  test('a larger value is never in a lower bucket, and a bucket contains its values', () => {
    const value = fc.double({ min: 0, max: usageBuckets.memory.valueMax, noNaN: true })
    fc.assert(
      fc.property(value, value, (one, other) => {
        const [low, high] = [Math.min(one, other), Math.max(one, other)]
        expect(usageBucketOf(low)).toBeLessThanOrEqual(usageBucketOf(high))
        const bucket = usageBucketOf(high)
        expect(high).toBeLessThanOrEqual(usageBucketEdges[bucket] ?? 0)
        if (bucket > 0) expect(high).toBeGreaterThan(usageBucketEdges[bucket - 1] ?? 0)
      }),
    )
  })

  test('each edge is in its own bucket', () => {
    for (const [bucket, edge] of usageBucketEdges.entries()) expect(usageBucketOf(edge)).toBe(bucket)
  })

  test('kinds that an agent is not allowed to list or fails to list are unreadable', () => {
    const condition = (kind: string, status: string) => ({ kind, status })
    const conditions = [condition('pods', 'ok'), condition('volumes', 'forbidden'), condition('services', 'failing')]
    const facts = { conditions } as unknown as Parameters<typeof unreadableKinds>[0]
    expect([...unreadableKinds(facts)]).toEqual(['volumes', 'services'])
    expect(unreadableKinds({} as Parameters<typeof unreadableKinds>[0]).size).toBe(0)
  })
})
