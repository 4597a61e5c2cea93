import { destinations, type RequestOf } from '@busbar/contract'

type Destination = destinations.Destination
export type Settings = Omit<RequestOf<typeof destinations.createDestination>, 'id'>

/** Rows, and the events that are delivered beside them. */
export const contents = ['rows', ...destinations.projectEvents] as const
export const requestOptions = ['ndjson', 'gzip'] as const

/** How the platform signs in to a broker. */
export const signIns = ['none', 'password', 'certificate', 'both'] as const
/** Which certificate of a broker is accepted. */
export const trusts = ['system', 'ca', 'pin'] as const

/** The settings as the form has them: those of both kinds, of which it shows one. */
export type DestinationValues = {
  readonly type: destinations.DestinationType
  readonly name: string
  readonly url: string
  readonly format: destinations.RowFormat
  readonly content: readonly (typeof contents)[number][]
  readonly options: readonly (typeof requestOptions)[number][]
  readonly rowsMax: number
  readonly lanes: number
  readonly version: destinations.MqttVersion
  readonly topic: string
  readonly group: string
  readonly edgeNode: string
  readonly signIn: (typeof signIns)[number]
  readonly username: string
  readonly password: string
  readonly certificate: string
  readonly privateKey: string
  readonly trust: (typeof trusts)[number]
  readonly ca: string
  readonly pin: string
  readonly clientId: string
}

const noBroker = {
  ...{ version: '5', clientId: '', username: '', topic: '', group: '', edgeNode: '' },
  ...{ ca: '', pin: '', certificate: '' },
  ...{ hasPassword: false, hasPrivateKey: false },
} as const satisfies destinations.Mqtt

/** The values of a destination; without one those of a new webhook. Secrets are never shown. */
export function valuesOf(destination?: Destination): DestinationValues {
  const {
    type = 'webhook',
    name = '',
    url = '',
    format = 'json',
    rowsMax = 1_000,
    lanes = 1,
  } = destination ?? {}
  const { version, clientId, username, topic, group, edgeNode, ca, pin, certificate } =
    destination?.mqtt ?? noBroker
  return {
    ...{ type, name, url, format, rowsMax, lanes },
    content: contents.filter((each) =>
      each === 'rows' ? (destination?.rows ?? true) : destination?.events.includes(each),
    ),
    options: requestOptions.filter((each) => destination?.[each]),
    ...{ version, topic, group, edgeNode, clientId, username, certificate, password: '', privateKey: '' },
    signIn:
      certificate === '' ? (username === '' ? 'none' : 'password') : username === '' ? 'certificate' : 'both',
    trust: pin === '' ? (ca === '' ? 'system' : 'ca') : 'pin',
    ...{ ca, pin },
  }
}

/** The forms of rows that destinations of a kind have. */
export const formatsOf = (type: destinations.DestinationType) =>
  destinations.rowFormats.filter((format) => type === 'mqtt' || format !== 'sparkplug')
/** The chosen form, unless it was chosen for the other kind. */
export const formatOf = ({ type, format }: Pick<DestinationValues, 'type' | 'format'>) =>
  formatsOf(type).includes(format) ? format : 'json'
export const hasUser = ({ signIn }: Pick<DestinationValues, 'signIn'>) =>
  signIn === 'password' || signIn === 'both'
export const hasCertificate = ({ signIn }: Pick<DestinationValues, 'signIn'>) =>
  signIn === 'certificate' || signIn === 'both'
/** A broker without TLS shows no certificate. */
export const isPlain = ({ url }: Pick<DestinationValues, 'url'>) => /^\s*mqtt:/i.test(url)

type Field = keyof DestinationValues

/** The fields that the form shows. */
export function shownOf(values: DestinationValues): Field[] {
  const shared: Field[] = ['type', 'name', 'url', 'format']
  if (values.type === 'webhook') return [...shared, 'content', 'options', 'rowsMax', 'lanes']
  const places: Field[] = values.format === 'sparkplug' ? ['group', 'edgeNode'] : ['topic']
  const shown: Field[] = [...shared, 'version', ...places, 'signIn', 'clientId']
  if (hasUser(values)) shown.push('username', 'password')
  if (isPlain(values)) return shown
  if (hasCertificate(values)) shown.push('certificate', 'privateKey')
  shown.push('trust')
  if (values.trust !== 'system') shown.push(values.trust)
  return shown
}

/** The request of values; a secret that was not typed is left out, and the platform keeps the former one. */
export function settingsOf(values: DestinationValues): Settings {
  const { type, name, url, content, options, rowsMax, lanes } = values
  const format = formatOf(values)
  if (type === 'mqtt') return { type, name, url, format, mqtt: brokerOf(values) }
  return {
    ...{ type, name, url, format, rowsMax, lanes },
    ...{ ndjson: options.includes('ndjson'), gzip: options.includes('gzip') },
    rows: content.includes('rows'),
    events: destinations.projectEvents.filter((event) => content.includes(event)),
  }
}

function brokerOf(values: DestinationValues): Settings['mqtt'] {
  const { version, topic, group, edgeNode, clientId } = values
  const shown = shownOf(values)
  const sentOf = (name: 'username' | 'certificate' | 'privateKey' | 'ca' | 'pin') =>
    shown.includes(name) ? values[name].trim() : ''
  const [password, privateKey] = [shown.includes('password') ? values.password : '', sentOf('privateKey')]
  return {
    ...{ version, clientId },
    ...(shown.includes('topic') ? { topic } : { group: group.trim(), edgeNode: edgeNode.trim() }),
    ...{ username: sentOf('username'), certificate: sentOf('certificate') },
    ...{ ca: sentOf('ca'), pin: sentOf('pin') },
    ...(password !== '' && { password }),
    ...(privateKey !== '' && { privateKey }),
  }
}
