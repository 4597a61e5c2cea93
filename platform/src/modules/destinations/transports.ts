import type { destinations } from '@busbar/contract'
import type { OutgoingCalls } from '../../kernel/outgoing-http/index.ts'
import type { SecretBox } from '../../kernel/secret-box.ts'
import { Broker } from './broker.ts'
import { type Db, type LaneSettings, nextBdSeq } from './lanes-store.ts'
import type { Attempt, Sending, Transport } from './transport.ts'
import { Webhook } from './webhook.ts'

/** The use of a transport: rows of a stream by its lane, a test, rows of history, or a dead letter again. */
export type SentFor = 'stream' | 'test' | 'replay' | 'resend'

/** A way to a destination of a type; who opens it closes it. */
export type OpenTransport = (type: destinations.DestinationType, sentFor: SentFor) => Transport

export function createOpenTransport(
  outgoing: Pick<OutgoingCalls, 'request' | 'openSocket'>,
  secrets: SecretBox,
  db: Db,
): OpenTransport {
  return (type, sentFor) => {
    if (type === 'webhook') return new Webhook(outgoing, secrets)
    if (sentFor === 'stream') return new Broker(outgoing, secrets, { nextBdSeq: (id) => nextBdSeq(db, id) })
    return new Broker(outgoing, secrets, { nameEnd: `-${sentFor}`, isHistory: sentFor !== 'test' })
  }
}

/** Sends rows on a way that is closed after them. */
export async function sendAlone(
  open: OpenTransport,
  sentFor: SentFor,
  settings: LaneSettings,
  sending: Sending,
): Promise<Attempt> {
  const transport = open(settings.type, sentFor)
  try {
    return await transport.send(settings, sending)
  } finally {
    transport.close()
  }
}
