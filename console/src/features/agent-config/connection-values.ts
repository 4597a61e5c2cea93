import { type Connection, textOf, withTags } from './draft.ts'

/** The fields of the form of a connection; those that its driver does not have stay as they are. */
export type ConnectionValues = Record<(typeof formFields)[number], string>

const formFields = [
  'driver',
  'name',
  'host',
  'port',
  'unit',
  'url',
  'security',
  'trust',
  'fingerprint',
  'wordOrder',
  'textEncoding',
  'rack',
  'slot',
  'pollIntervalMs',
  'pauseMs',
  'closeAfterPoll',
  'transactionIds',
] as const
type FormField = (typeof formFields)[number]

const line: readonly FormField[] = ['pauseMs', 'closeAfterPoll']
const modbus: readonly FormField[] = ['host', 'port', 'unit', 'wordOrder', 'textEncoding', ...line]
const ofDriver: Partial<Record<string, readonly FormField[]>> = {
  'modbus-tcp': [...modbus, 'transactionIds'],
  'modbus-rtu': modbus,
  opcua: ['url', 'security', 'trust', 'fingerprint'],
  s7: ['host', 'rack', 'slot', 'textEncoding', ...line],
}
const numbers: ReadonlySet<FormField> = new Set(['port', 'unit', 'rack', 'slot', 'pollIntervalMs', 'pauseMs'])

const defaults: ConnectionValues = {
  driver: '',
  name: '',
  host: '',
  port: '502',
  unit: '1',
  url: '',
  security: 'none',
  trust: 'first',
  fingerprint: '',
  wordOrder: 'ABCD',
  textEncoding: '',
  rack: '0',
  slot: '1',
  pollIntervalMs: '1000',
  pauseMs: '',
  closeAfterPoll: '',
  transactionIds: '',
}

/** The fields that the form shows for a driver. */
export function fieldsOf(driver: string): readonly FormField[] {
  return ['driver', 'name', ...(ofDriver[driver] ?? []), 'pollIntervalMs']
}

export function valuesOf(connection: Connection | undefined, driver: string): ConnectionValues {
  if (!connection) return { ...defaults, driver }
  const own = Object.fromEntries(
    formFields.flatMap((field) => {
      const text = connection[field] === true ? 'true' : textOf(connection, field)
      return text === '' ? [] : [[field, text]]
    }),
  )
  return { ...defaults, ...own, trust: textOf(connection, 'fingerprint') ? 'fingerprint' : 'first' }
}

/** The connection of the form; fields that it does not show are kept, variables included. */
export function connectionOf(values: ConnectionValues, before: Connection | undefined): Connection {
  const known: readonly string[] = fieldsOf(values.driver)
  const isSameDriver = before?.driver === values.driver
  const kept = Object.entries(isSameDriver ? before : {}).filter(([name]) => !known.includes(name))
  const isOpen = values.security === 'none'
  const shown = fieldsOf(values.driver).filter((field) => {
    if (field === 'trust') return !isOpen && values.trust === 'first'
    return field === 'fingerprint' ? !isOpen && values.trust === 'fingerprint' : true
  })
  const own = shown
    .filter((field) => values[field].trim() !== '')
    .map((field) => [field, writtenOf(field, values[field].trim())])
  const connection: Connection = Object.fromEntries([...own, ...kept])
  return isSameDriver ? connection : withTags(connection, [])
}

function writtenOf(field: FormField, text: string): string | number | boolean {
  if (field === 'closeAfterPoll') return text === 'true'
  return numbers.has(field) ? Number(text) : text
}
