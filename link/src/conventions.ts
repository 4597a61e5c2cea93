/** The Sparkplug group our own agent publishes under; the platform accepts any. */
export const sparkplugGroup = 'busbar'

/** The host id of the platform's STATE topic. */
export const primaryHostId = 'busbar'

/** Metrics that belong to the protocol, not to the machine (Sparkplug 3.0, sections 5.4 and 6.4.20). */
export const protocolMetric = {
  bdSeq: 'bdSeq',
  rebirth: 'Node Control/Rebirth',
  nodeControlPrefix: 'Node Control/',
} as const

/** Keys of a metric's property set, sent in the birth. */
export const propertyKey = {
  /** Unit as a person reads it, `°C`. */
  engUnit: 'engUnit',
  displayName: 'displayName',
  displayNameCn: 'displayName/cn',
  displayNameEn: 'displayName/en',
  /** Display name of the tag's group. */
  groupCn: 'group/cn',
  groupEn: 'group/en',
  /** Meanings of the controller's words: a JSON object of texts by value, `{"auto":"Automatic"}`. */
  wordsCn: 'words/cn',
  wordsEn: 'words/en',
  readOnly: 'readOnly',
  /** The range of plausible values. */
  min: 'min',
  max: 'max',
  /** Decimal places to show. */
  scale: 'scale',
  /** Boolean: the value to show first for this machine. */
  keyTag: 'keyTag',
  /** One of `Quality`; without it a value is good. */
  quality: 'Quality',
  /**
   * In a data message, boolean: the value was read back after a write, whether it took or not. It ends the
   * waiting write immediately, instead of by its time-out.
   */
  readBack: 'readBack',
  /** Beside `readBack`, of a write made on the agent's own page: the visit's id, or empty at the machine itself. */
  visit: 'visit',
  /** Beside `readBack`: the value before the write, in the metric's own type, and the value that was wished for. */
  writtenFrom: 'writtenFrom',
  writtenTo: 'writtenTo',
  /** Beside `readBack`: why the controller refused, in its own words. */
  writeError: 'writeError',
} as const

/** The quality property's values (Sparkplug 3.0, section 6.4.13), and OPC's 64 for uncertain. */
export const Quality = { bad: 0, uncertain: 64, good: 192, stale: 500 } as const
export type QualityNumber = (typeof Quality)[keyof typeof Quality]

/**
 * A metric of our own agent: samples of a stretch of time were dropped before they could be sent. Boolean, transient,
 * with the properties below; the platform shows the stretch as a gap.
 */
export const lostMetric = 'Busbar/Lost'
export const lostPropertyKey = {
  /** Times of the first and last sample dropped, epoch milliseconds, int64. */
  from: 'from',
  to: 'to',
  /** Number of samples, int64. */
  samples: 'samples',
} as const

/** Metrics under this prefix are alarms, not tags: `Alarms/{id}`, boolean, true while raised. */
export const alarmPrefix = 'Alarms/'
export const alarmPropertyKey = {
  text: 'text',
  textCn: 'text/cn',
  textEn: 'text/en',
  level: 'level',
} as const
export const alarmLevels = ['critical', 'major', 'minor', 'info'] as const
export type AlarmLevel = (typeof alarmLevels)[number]

/** Metrics under this prefix are the machine's attributes, not tags: `Properties/{name}`, strings; places as JSON. */
export const attributePrefix = 'Properties/'
export const attributeNames = ['model', 'firmware', 'ip', 'iccid', 'network', 'signal'] as const
export type AttributeName = (typeof attributeNames)[number]

/** Attributes that are objects or lists: where the machine is, by satellites, cells and networks around it. */
export const placeAttributes = ['gps', 'cells', 'wifi'] as const
export type PlaceAttribute = (typeof placeAttributes)[number]

/** A metric name is `group/tag`; the last `/` separates, and without one the group is empty. */
export interface TagName {
  group: string
  name: string
}

export function parseMetricName(metricName: string): TagName {
  const slash = metricName.lastIndexOf('/')
  return { group: slash < 0 ? '' : metricName.slice(0, slash), name: metricName.slice(slash + 1) }
}

export function formatMetricName(tag: TagName): string {
  return tag.group === '' ? tag.name : `${tag.group}/${tag.name}`
}

/** Topics of the plain JSON adapter. */
export const plainTopic = {
  telemetry: 'v1/devices/me/telemetry',
  attributes: 'v1/devices/me/attributes',
  alarms: 'v1/devices/me/alarms',
  /** Followed by the request's number. */
  rpcRequestPrefix: 'v1/devices/me/rpc/request/',
  rpcResponsePrefix: 'v1/devices/me/rpc/response/',
} as const

/** A machine code is 19 digits and always a string: it does not fit a number. */
export function isMachineCode(text: string): boolean {
  return /^[0-9]{19}$/.test(text)
}
