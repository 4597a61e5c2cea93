import type { IncomingMessage, ServerResponse } from 'node:http'
import type { VisitName } from '../modules/visits/index.ts'

/** A request with the results of its checks. */
export interface Asked {
  readonly request: IncomingMessage
  readonly response: ServerResponse
  readonly name: VisitName
  readonly address: string
  /** The id of the console it came through. */
  readonly from: string | undefined
}
