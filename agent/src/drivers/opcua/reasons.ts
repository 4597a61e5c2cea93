import type { StatusCode } from 'node-opcua-client'

/** Explanations of the answers that a person can do something about, by the names of OPC 10000-4. */
const statusTexts: Record<string, string> = {
  BadNodeIdUnknown: 'the server has no such node: it was renamed or deleted, or the namespace is another',
  BadNodeIdInvalid: 'the server has no such node: it was renamed or deleted, or the namespace is another',
  BadAttributeIdInvalid: 'the node has no value: it is no variable',
  BadNotReadable: 'the node cannot be read',
  BadNotWritable: 'the node cannot be written to',
  BadUserAccessDenied: 'this user may not do that',
  BadTypeMismatch: 'the node takes a value of another type',
  BadOutOfRange: 'the value is out of the node’s range',
  BadWriteNotSupported: 'the server does not write to this node',
  BadTooManyMonitoredItems: 'the server follows no more nodes',
  BadTooManySubscriptions: 'the server has no subscription left',
  BadTooManySessions: 'the server has no session left',
  BadIdentityTokenRejected: 'the user or the password is wrong',
  BadIdentityTokenInvalid: 'the server does not take this kind of user',
  BadCertificateUntrusted: 'the server does not trust the agent’s certificate yet: trust it there',
  BadSecurityChecksFailed:
    'the server refused the secure channel; most often it does not trust the agent’s certificate yet',
  BadCertificateUriInvalid: 'the server refused the URI in the agent’s certificate',
  BadCertificateTimeInvalid: 'the certificate is not valid at this time: look at the clocks',
  BadInvalidTimestamp: 'the server refuses the time of the request: look at the clocks',
  BadTimeout: 'no answer in time',
  BadNoCommunication: 'the server has no connection to the data source',
  BadNotConnected: 'the server has no connection to the data source',
  BadDeviceFailure: 'the device has failed',
  BadSensorFailure: 'the sensor has failed',
  BadOutOfService: 'the source of the value is out of service',
  BadWaitingForInitialData: 'the server waits for the first value itself',
}

/** Whether a status means that the node does not exist. */
export function isNodeGone({ name }: Pick<StatusCode, 'name'>): boolean {
  return name === 'BadNodeIdUnknown' || name === 'BadNodeIdInvalid'
}

/** A status in words for a person, with its name in the standard. */
export function statusReason(status: Pick<StatusCode, 'name' | 'description'>): string {
  const words = statusTexts[status.name] ?? status.description
  return words ? `${words} (${status.name})` : status.name
}

/** Why a connection failed, in one line for a person. */
export function failureReason(error: unknown): string {
  const message = error instanceof Error ? error.message : String(error)
  const status = /\bBad[A-Z]\w+/.exec(message)?.[0]
  if (status !== undefined) return statusReason({ name: status, description: '' })
  if (/ECONNREFUSED/.test(message)) return 'nobody listens there (ECONNREFUSED)'
  if (/ENOTFOUND|EAI_AGAIN/.test(message)) return 'the name of the host is not known'
  if (/EHOSTUNREACH|ENETUNREACH/.test(message)) return 'there is no way to the host'
  if (/premature|disconnected by third party|socket has been|ECONNRESET/i.test(message))
    return 'the server closed the connection; it may refuse the agent’s certificate'
  return message.split('\n')[0]?.trim() || 'it failed without a reason'
}
