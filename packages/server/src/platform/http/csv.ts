import type { FastifyReply, FastifyRequest } from 'fastify'
import { varyWith } from './vary.ts'

const mediaType = 'text/csv'

/** A name from a cluster must not become a formula in a spreadsheet. */
export function csvText(rows: readonly (readonly string[])[]): string {
  const cell = (value: string) => {
    const safe = /^[=+\-@\t\r]/.test(value) && Number.isNaN(Number(value)) ? `'${value}` : value
    return /[",\n\r]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe
  }
  return rows.map((row) => `${row.map(cell).join(',')}\r\n`).join('')
}

/** Whether the caller requests CSV instead of JSON. */
export function wantsCsv(request: FastifyRequest, reply: FastifyReply): boolean {
  reply.header('vary', varyWith(reply.getHeader('vary'), 'Accept'))
  return (request.query as { format?: string }).format === 'csv' || request.headers.accept?.includes(mediaType) === true
}

/** Bytes bypass the schema, which describes the JSON response. */
export const sendCsv = (reply: FastifyReply, name: string, text: string): never =>
  reply
    .type(`${mediaType}; charset=utf-8`)
    .header('content-disposition', `attachment; filename="${name.replaceAll(/[^\w.-]+/g, '-')}"`)
    .send(text) as never
