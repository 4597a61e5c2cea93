/** Calls to the addresses that people type: each is checked, and connected to where it was checked. */
export type { CallingSpace } from './allowed-networks.ts'
export {
  type OpenedSocket,
  type OutgoingTls,
  type SocketOptions,
  toOutgoingError,
} from './checked-sockets.ts'
export { describeRefusal } from './describe-refusal.ts'
export type { OutgoingAnswer } from './exchange.ts'
export { formatRequestHead, OutgoingCalls, type OutgoingRequest } from './outgoing-calls.ts'
export {
  type AddressProblem,
  type Connection,
  OutgoingError,
  type OutgoingFault,
  refuseAddress,
  type ShownCertificate,
} from './outgoing-error.ts'
export type { Resolve } from './resolve.ts'
export { parseTypedAddress, type TypedAddress, type TypedProtocol } from './typed-address.ts'
