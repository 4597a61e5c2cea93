declare module 'smpp' {
  import type { EventEmitter } from 'node:events'
  import type { Server } from 'node:net'

  /** A protocol data unit; its parameters by their names in the specification. */
  export interface Pdu {
    command: string
    command_status: number
    sequence_number: number
    message_id?: string
    system_id?: string
    password?: string
    destination_addr?: string
    data_coding?: number
    esm_class?: number
    /** In a receipt: the id of its message, and the message's state (5.3.2.12, 5.3.2.35). */
    receipted_message_id?: string
    message_state?: number
    short_message?: { message: string; udh?: Buffer[] }
    response(options?: Record<string, unknown>): Pdu
  }

  export interface Session extends EventEmitter {
    send(pdu: Pdu): boolean
    /** False when the connection is gone; the answer is given `command_status` 0 for success. */
    bind_transceiver(options: Record<string, unknown>, answered: (pdu: Pdu) => void): boolean
    bind_transmitter(options: Record<string, unknown>, answered: (pdu: Pdu) => void): boolean
    submit_sm(options: Record<string, unknown>, answered: (pdu: Pdu) => void): boolean
    enquire_link(answered?: (pdu: Pdu) => void): boolean
    unbind(answered: (pdu: Pdu) => void): boolean
    close(closed?: () => void): void
    destroy(closed?: () => void): void
  }

  const smpp: {
    connect(options: { host: string; port?: number; tls?: boolean; servername?: string }): Session
    createServer(accept: (session: Session) => void): Server
  }
  export default smpp
}
