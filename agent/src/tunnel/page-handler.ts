import type { IncomingHttpHeaders } from 'node:http'
import type { Duplex } from 'node:stream'

/** The visitor behind a request that came through the tunnel; the agent enforces mode and end too. */
export interface Visitor {
  visit: string
  user: string
  mode: 'ro' | 'rw'
  /** Epoch ms. */
  until: number
}

/** A request for the agent's own page, from the tunnel (`visitor`) or from its local port (`visitor` null). */
export interface PageRequest {
  method: string
  /** Path and query. */
  path: string
  headers: IncomingHttpHeaders
  /** The request's body. */
  body: NodeJS.ReadableStream
  visitor: Visitor | null
}

/** The answer of a page: begun once, with a whole body or with a stream that lasts (server-sent events). */
export interface PageAnswer {
  begin(status: number, headers: Record<string, string>): NodeJS.WritableStream & Pick<Duplex, 'destroyed'>
}

export type PageHandler = (request: PageRequest, answer: PageAnswer) => void
