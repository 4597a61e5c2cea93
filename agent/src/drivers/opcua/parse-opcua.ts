import { configLimits } from '../../config/config.ts'
import type { Fields } from '../../config/fields.ts'
import { parseCommonTag, parseTagType } from '../../config/tag-fields.ts'
import type { TagType } from '../../tag.ts'
import { parseNodeAddress } from './node-address.ts'
import type { OpcUaOptions, OpcUaTag, OpcUaUser, SecurityWord, ServerTrust } from './opcua-connection.ts'
import { securityModes, securityPolicies } from './opcua-connection.ts'

const pathCharactersMax = 4_096
const nodeCharactersMax = 1_024
const timeoutMsDefault = 5_000
const opcUaTypes = 'bool, int16, uint16, int32, uint32, int64, uint64, float32, float64, string'

/** The fields of an OPC UA connection. */
export function parseOpcUa(fields: Fields): OpcUaOptions {
  const security = fields.requiredOneOf('security', securityModes)
  const options: OpcUaOptions = {
    url: parseUrl(fields),
    security,
    policy: fields.oneOf('policy', securityPolicies) ?? 'Basic256Sha256',
    trust: parseTrust(fields, security),
    user: parseUser(fields, security),
    timeoutMs:
      fields.integer('timeoutMs', configLimits.timeoutMsMin, configLimits.timeoutMsMax) ?? timeoutMsDefault,
    samplingIntervalMs: parseSampling(fields) ?? 0,
    times: fields.oneOf('times', ['source', 'agent']) ?? 'source',
  }
  for (const field of ['pauseMs', 'closeAfterPoll'])
    fields.refuse(field, 'is not for OPC UA, which follows values over one session: use samplingIntervalMs')
  return options
}

function parseSampling(fields: Fields): number | undefined {
  return fields.integer('samplingIntervalMs', configLimits.pollIntervalMsMin, configLimits.pollIntervalMsMax)
}

function parseUrl(fields: Fields): string {
  const text = fields.requiredText('url', 2_048)
  if (text === '') return ''
  const url = URL.canParse(text) ? new URL(text) : null
  if (url === null || url.protocol !== 'opc.tcp:' || url.hostname === '') {
    fields.problem('url', 'has to look like opc.tcp://host:4840')
  } else if (url.username !== '' || url.password !== '') {
    fields.problem('url', 'cannot hold a user name or password; user has fields for them')
  }
  return text
}

function parseTrust(fields: Fields, security: SecurityWord): ServerTrust | null {
  const text = fields.text('fingerprint', 128)
  const trust = fields.oneOf('trust', ['first'])
  if (text !== undefined && trust !== undefined) {
    fields.problem('trust', 'and fingerprint are both there; one is enough')
  }
  const fingerprint = text?.replaceAll(/[:\s]/g, '').toLowerCase()
  if (fingerprint !== undefined && !/^[0-9a-f]{64}$/.test(fingerprint)) {
    fields.problem('fingerprint', 'has to be the SHA-256 of the server’s certificate: 64 hex digits')
  }
  if (security === 'none') return null
  if (fingerprint !== undefined) return { kind: 'fingerprint', fingerprint }
  if (trust === undefined && !fields.has('trust')) {
    const ways = 'the SHA-256 of the server’s certificate, or trust: first to keep the first one that is seen'
    fields.problem('fingerprint', `is missing: ${ways}`)
  }
  return { kind: 'first' }
}

function parseUser(connection: Fields, security: SecurityWord): OpcUaUser {
  if (!connection.has('user')) return { kind: 'anonymous' }
  const fields = connection.mapping('user')
  const certificateFile = fields.text('certificateFile', pathCharactersMax)
  const user =
    certificateFile === undefined
      ? parseNamed(fields, security)
      : {
          kind: 'certificate' as const,
          certificateFile,
          keyFile: fields.requiredText('keyFile', pathCharactersMax),
        }
  fields.finish()
  return user
}

function parseNamed(fields: Fields, security: SecurityWord): OpcUaUser {
  const name = fields.requiredText('name', configLimits.textCharactersMax)
  const password = fields.text('password', configLimits.secretBytesMax)
  const passwordFile = fields.text('passwordFile', pathCharactersMax)
  const isOpen = fields.boolean('plain') ?? false
  if (password !== undefined && passwordFile !== undefined) {
    fields.problem('passwordFile', 'and password are both there; one is enough')
  }
  if (password === undefined && passwordFile === undefined) {
    fields.problem('password', 'is missing; write it here or name a file with it as passwordFile')
  }
  if (security === 'none' && !isOpen) {
    const why = 'without security others in the network can get at the password'
    fields.problem('name', `needs security: Sign or SignAndEncrypt, since ${why}; plain: true allows it`)
  }
  return {
    kind: 'name',
    name,
    ...(password === undefined ? {} : { password }),
    ...(passwordFile === undefined ? {} : { passwordFile }),
  }
}

/** A tag of an OPC UA connection. Without a type the node's type applies. */
export function parseOpcUaTag(fields: Fields): OpcUaTag {
  const text = fields.requiredText('nodeId', nodeCharactersMax)
  const nodeId = parseNodeAddress(text)
  if (nodeId === null && text !== '') {
    const forms = 'ns=2;s=Tank.Level, nsu=urn:maker:plc;s=Tank.Level or ns=2;i=1001'
    fields.problem('nodeId', `is "${text}"; write it like ${forms}`)
  }
  const isTypeGiven = fields.has('type') || fields.has('alarm')
  const samplingIntervalMs = parseSampling(fields)
  return {
    ...parseCommonTag(fields, parseType(fields)),
    nodeId: nodeId ?? { namespace: 0, identifier: 'i=0' },
    isTypeGiven,
    ...(samplingIntervalMs === undefined ? {} : { samplingIntervalMs }),
  }
}

/** Texts have no fixed length here. An alarm is a bool, even before the node has reported its type. */
function parseType(fields: Fields): TagType {
  if (fields.text('type', configLimits.textCharactersMax) === 'string') return 'string'
  const { type, stringBytes } = parseTagType(fields, fields.has('alarm') ? 'bool' : 'float64')
  if (stringBytes > 0) fields.problem('type', `is a string without a length here; possible are ${opcUaTypes}`)
  return type
}
