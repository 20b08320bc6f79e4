import type { FastifyReply } from 'fastify'

/** The answer is serialized already, so Fastify sends the bytes as they are. */
export function sendJson(reply: FastifyReply, json: Uint8Array): FastifyReply {
  return reply.type('application/json; charset=utf-8').send(Buffer.from(json.buffer, json.byteOffset, json.byteLength))
}
